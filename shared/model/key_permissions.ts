/**
 * Permissions of API keys (contract 5.1) as the account library stores them: lists of texts by name. One name holds the key's
 * organization; `resource:<name>` holds what the key is limited to.
 */
import type { Grants } from "./principal.ts";

const ORGANIZATION = "organization";
const RESOURCE = "resource:";

export interface KeyPermissions {
  /** The organization that the key acts in; null: none. */
  readonly organizationId: string | null;
  /** Rights that the key is limited to; null: it may do all that its user may. */
  readonly grants: Grants | null;
}

export function storedPermissions(
  { organizationId, grants }: KeyPermissions,
): Record<string, string[]> {
  // An empty set of grants is stored explicitly, because a missing one grants everything.
  const isEmpty = grants !== null && Object.keys(grants).length === 0;
  const lists = Object.entries(isEmpty ? { "*": [] } : grants ?? {});
  return {
    [ORGANIZATION]: organizationId === null ? [] : [organizationId],
    ...Object.fromEntries(lists.map(([resource, verbs]) => [RESOURCE + resource, [...verbs]])),
  };
}

/** Decodes stored permissions. Without a text the key acts in no organization and may do all that its user may. */
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
