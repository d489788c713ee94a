/**
 * Permissions of API keys (contract 5.1) in the form in which the account library keeps them: lists of texts by name. A key's
 * organization stands under one name, what the key was narrowed to under `resource:` and the resource's.
 */
import type { Grants } from "./principal.ts";

const ORGANIZATION = "organization";
const RESOURCE = "resource:";

export interface KeyPermissions {
  /** Null: the key acts in none. */
  readonly organizationId: string | null;
  /** Null: all that the key's user may. */
  readonly grants: Grants | null;
}

export function storedPermissions(
  { organizationId, grants }: KeyPermissions,
): Record<string, string[]> {
  // Permissions that name nothing are kept as such: left out, they would be all.
  const isEmpty = grants !== null && Object.keys(grants).length === 0;
  const lists = Object.entries(isEmpty ? { "*": [] } : grants ?? {});
  return {
    [ORGANIZATION]: organizationId === null ? [] : [organizationId],
    ...Object.fromEntries(lists.map(([resource, verbs]) => [RESOURCE + resource, [...verbs]])),
  };
}

/** Reads what is stored; without a text, the key acts in no organization and may what its user may. */
export function permissionsIn(stored: string | null): KeyPermissions {
  const parsed: unknown = stored === null ? {} : JSON.parse(stored);
  if (typeof parsed !== "object" || parsed === null) {
    throw new Error("The permissions of an API key are no object");
  }
  const entries: readonly (readonly [string, unknown])[] = Object.entries(parsed);
  const granted = entries.flatMap(([name, verbs]) =>
    name.startsWith(RESOURCE) ? [[name.slice(RESOURCE.length), textsIn(verbs)] as const] : []
  );
  const [organizationId = null] = entries.flatMap(([name, ids]) =>
    name === ORGANIZATION ? textsIn(ids) : []
  );
  return { organizationId, grants: granted.length === 0 ? null : Object.fromEntries(granted) };
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
