/**
 * Rights of a narrowed credential (contract 5.1): the names of operations in its permissions, and the one
 * reading of them.
 */
import type { Access, Grants, ResourceModel } from "../model/mod.ts";

/** The name of an operation in permissions. */
export interface Grant {
  /** An action that stands for no resource has its feature's name. */
  readonly resource: string;
  /** All of them are needed: an upsert creates and updates. */
  readonly verbs: readonly string[];
}

/** An access rule, and what it stands before. */
export interface Ruled {
  readonly access: Access;
  /** Null: no permission names it, so that no narrowed credential gets there. */
  readonly grant: Grant | null;
}

/** Stands for every resource. */
export const EVERY_RESOURCE = "*";

/** True when the credential was not narrowed, or only to more than this. */
export function isGranted(grant: Grant | null, grants: Grants | undefined): boolean {
  if (grants === undefined) return true;
  if (grant === null) return false;
  const { resource, verbs } = grant;
  return verbs.every((verb) =>
    verbsAt(grants, resource).includes(verb) || verbsAt(grants, EVERY_RESOURCE).includes(verb)
  );
}

function verbsAt(grants: Grants, resource: string): readonly string[] {
  return Object.hasOwn(grants, resource) ? grants[resource] ?? [] : [];
}

/** Last segment of the route that restores a record, and its name in permissions. */
export const RESTORE_SEGMENT = "restore";

/** Last segment of the route that reads a record's history. */
export const HISTORY_SEGMENT = "history";

/** The rule behind which soft-deleted records are seen and restored; null: nobody may. */
export function restoreRuleOf(
  { name, delete: removal }: ResourceModel,
): { readonly access: Access; readonly grant: Grant } | null {
  if (!removal?.restore) return null;
  const { access } = removal.restore;
  return { access, grant: { resource: name, verbs: [RESTORE_SEGMENT] } };
}

/** The rule behind which a resource's records are read, wherever they come along; null: nobody reads them. */
export function readRuleOf({ name, read }: ResourceModel): Ruled | null {
  return read && { access: read.access, grant: { resource: name, verbs: ["read"] } };
}
