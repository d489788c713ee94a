/** Rows that a project begins with (definitions 1, `seed.ts`). */
import { PLATFORM_ROLES } from "../contract/mod.ts";
import type { JsonValue } from "../model/mod.ts";
import type { RoleName } from "./register.ts";
import * as s from "./shape.ts";

/** A caller who writes rows. */
export const SEED_PRINCIPAL = s.object({
  /** Id of a user in `users`. */
  userId: s.required(s.word("the id of a user")),
  /** Id of an organization in `organizations`. Default: that of `as`. */
  organizationId: s.word("the id of an organization"),
  /** Id of the active team. */
  teamId: s.word("the id of a team"),
  /** Roles. Default: the user's roles as a member of the organization. */
  roles: s.words<RoleName>("roles"),
  /** Platform role. Default: the user's. */
  userRole: s.oneOf(PLATFORM_ROLES),
});

/** A value of a row: a literal, or `{ $ref: "<as>.id" }`. */
export type SeedRowDefinition = { readonly [Column in string]: JsonValue | undefined };

/** Accounts, and rows of each resource in the order of writing. */
export const SEED = s.object({
  /** Organizations with their members. */
  organizations: s.list(s.object({
    /** Id: any text. Rows and members refer to it. */
    id: s.required(s.word("an id")),
    /** Name. Default: the id. */
    name: s.text,
    /** Slug. Default: the id. */
    slug: s.word("a slug"),
    /** Maps user ids to roles in the organization. */
    members: s.map("user", s.words<RoleName>("roles")),
  })),
  /** Accounts. Their addresses count as confirmed. */
  users: s.list(s.object({
    /** Id: any text. Members and principals refer to it. */
    id: s.required(s.word("an id")),
    /** Name. Default: the id. */
    name: s.text,
    /** Address. Default: `<id>@example.com`. */
    email: s.word("an address"),
    /** Password. Without one the user cannot sign in by password. */
    password: s.text,
    /** Platform role. */
    userRole: s.oneOf(PLATFORM_ROLES),
  })),
  /** The writer of the rows. */
  as: SEED_PRINCIPAL,
  /** Create bodies by resource. `$as` names a row for later ones, `$by` is its writer. */
  rows: s.ruled<{ readonly [Resource in string]: readonly SeedRowDefinition[] }>(
    "rows by resource",
  ),
});
