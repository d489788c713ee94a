/** Rows that a project begins with, of `quickback/seed.ts`: accounts, and what they write through every layer (definitions 1). */
import type { Principal } from "./principal.ts";
import type { JsonValue } from "./table.ts";

export interface SeedModel {
  /** SHA-256 of what it says, in hexadecimal: a seed is planted once. */
  readonly hash: string;
  readonly organizations: readonly SeedOrganization[];
  readonly users: readonly SeedUser[];
  /** In the order in which they are written. */
  readonly rows: readonly SeedRow[];
}

export interface SeedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** Roles in it by user id. */
  readonly members: Readonly<Record<string, readonly string[]>>;
}

export interface SeedUser {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Null: signs in with none. */
  readonly password: string | null;
  readonly userRole: Principal["userRole"];
}

export interface SeedRow {
  /** Name of the resource's table. */
  readonly resource: string;
  /** Name by which later rows refer to it; null: none. */
  readonly as: string | null;
  readonly by: SeedPrincipal;
  /** Body of the create; `{ $ref: "<as>.<member>" }` in it is a member of an earlier row. */
  readonly values: Readonly<Record<string, JsonValue>>;
  /** `quickback/seed.ts:12`; null: of a test. */
  readonly at: string | null;
}

/** Caller of a row's create. */
export type SeedPrincipal = Pick<
  Principal,
  "userId" | "organizationId" | "teamId" | "roles" | "userRole"
>;

/** The `<as>.<member>` of a reference; null for any other value. */
export function seedReference(value: JsonValue): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries = Object.entries(value);
  const [key, reference] = entries[0] ?? [];
  return entries.length === 1 && key === "$ref" && typeof reference === "string" ? reference : null;
}
