/** Rows that a project begins with (definitions 1, `seed.ts`). */
import { PLATFORM_ROLES } from "../contract/mod.ts";
import type { JsonValue } from "../model/mod.ts";
import type { RoleName } from "./register.ts";
import * as s from "./shape.ts";

/** A caller of the API. */
export const SEED_PRINCIPAL = s.object({
  /** One of `users`. */
  userId: s.required(s.word("the id of a user")),
  /** One of `organizations`; by default that of `as`. */
  organizationId: s.word("the id of an organization"),
  /** The active team. */
  teamId: s.word("the id of a team"),
  /** By default the user's roles as a member of the organization. */
  roles: s.words<RoleName>("roles"),
  /** Role in the whole platform; by default that of the user. */
  userRole: s.oneOf(PLATFORM_ROLES),
});

/** A value of a row: a literal, or `{ $ref: "<as>.id" }`. */
export type SeedRowDefinition = { readonly [Column in string]: JsonValue | undefined };

/** Accounts, and rows for each resource, in the order in which they are written. */
export const SEED = s.object({
  /** With their members. */
  organizations: s.list(s.object({
    /** Any text; rows and members name it. */
    id: s.required(s.word("an id")),
    /** By default its id. */
    name: s.text,
    /** By default its id. */
    slug: s.word("a slug"),
    /** Roles in it by user id. */
    members: s.map("user", s.words<RoleName>("roles")),
  })),
  /** Accounts whose addresses count as confirmed. */
  users: s.list(s.object({
    /** Any text; members and principals name it. */
    id: s.required(s.word("an id")),
    /** By default its id. */
    name: s.text,
    /** By default `<id>@example.com`. */
    email: s.word("an address"),
    /** Without one nobody signs in as this user with a password. */
    password: s.text,
    /** Role in the whole platform. */
    userRole: s.oneOf(PLATFORM_ROLES),
  })),
  /** The writer of the rows. */
  as: SEED_PRINCIPAL,
  /** Bodies by resource. `$as` names a row for later ones, `$by` is who writes it. */
  rows: s.ruled<{ readonly [Resource in string]: readonly SeedRowDefinition[] }>(
    "rows by resource",
  ),
});
