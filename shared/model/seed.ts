/**
 * Rows that a project begins with, from `quickback/seed.ts`: accounts, and records that they write through every layer
 * (definitions 1).
 */
import type { Principal } from "./principal.ts";
import type { JsonValue } from "./table.ts";

export interface SeedModel {
  /** SHA-256 of the seed in hexadecimal, so that a seed is planted once. */
  readonly hash: string;
  readonly organizations: readonly SeedOrganization[];
  readonly users: readonly SeedUser[];
  /** In the order of writing. */
  readonly rows: readonly SeedRow[];
}

export interface SeedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** Maps a user's id to the roles in the organization. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

export interface SeedUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Null: the account cannot sign in by password. */
  readonly password: string | null;
  readonly userRole: Principal["userRole"];
}

export interface SeedRow {
  /** Name of the resource's table. */
  readonly resource: string;
  /** Name by which later rows refer to this one; null: none. */
  readonly as: string | null;
  readonly by: SeedPrincipal;
  /** Body of the create. `{ $ref: "<as>.<member>" }` stands for a member of an earlier row. */
  readonly values: Readonly<Record<string, JsonValue>>;
  /** Place in the source, as `quickback/seed.ts:12`; null in a test. */
  readonly at: string | null;
}

/** The caller who creates a row. */
export type SeedPrincipal = Pick<
  Principal,
  "userId" | "organizationId" | "teamId" | "roles" | "userRole"
>;

/** Returns the `<as>.<member>` of a reference; null for any other value. */
export function seedReference(value: JsonValue): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const [key, reference] = entries[0] ?? [];
  return entries.length === 1 && key === "$ref" && typeof reference === "string" ? reference : null;
}
