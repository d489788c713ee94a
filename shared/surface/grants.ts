/**
 * Defines the rights of a narrowed credential (contract 5.1): the names of operations in its permissions, and how they are
 * evaluated.
 */
import type { Access, Grants, ResourceModel } from "../model/mod.ts";

/** The name of an operation in permissions. */
export interface Grant {
  /** Name of the resource. An action without a resource has its feature's name. */
  readonly resource: string;
  /** Verbs, all of which are needed: an upsert creates and updates. */
  readonly verbs: readonly string[];
}

/** An access rule with the name of its operation in permissions. */
export interface Ruled {
  readonly access: Access;
  /** Name in permissions; null: no permission names the operation, so that no narrowed credential may use it. */
  readonly grant: Grant | null;
}

/** Name of all resources. */
export const EVERY_RESOURCE = "*";

/** True when the credential was not narrowed, or its permissions include this right. */
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

/** Returns the rule of reading and restoring soft-deleted records; null: no one may. */
export function restoreRuleOf(
  { name, delete: removal }: ResourceModel,
): { readonly access: Access; readonly grant: Grant } | null {
  if (!removal?.restore) return null;
  const { access } = removal.restore;
  return { access, grant: { resource: name, verbs: [RESTORE_SEGMENT] } };
}

/** Returns the rule of reading a resource's records, also as included ones; null: no one may. */
export function readRuleOf({ name, read }: ResourceModel): Ruled | null {
  return read && { access: read.access, grant: { resource: name, verbs: ["read"] } };
}
