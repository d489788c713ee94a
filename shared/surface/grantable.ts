/** Names that the permissions of a narrowed credential may hold (contract 5.1). */
import { isJsonObject } from "../lib/json.ts";
import type { ProjectModel } from "../model/mod.ts";
import { actionOperationsOf } from "./action_operations.ts";
import { EVERY_RESOURCE } from "./grants.ts";
import { nameMeant } from "./names.ts";
import { operationsOf } from "./operations.ts";

/** Verbs and actions by resource, each sorted; under `*` all of them. */
export function grantableOf(project: ProjectModel): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, Set<string>>();
  for (const { grant } of [...operationsOf(project), ...actionOperationsOf(project)]) {
    const verbs = named.get(grant.resource) ?? new Set();
    for (const verb of grant.verbs) verbs.add(verb);
    named.set(grant.resource, verbs);
  }
  const every = new Set([...named.values()].flatMap((verbs) => [...verbs]));
  return new Map(
    [[EVERY_RESOURCE, every] as const, ...named].toSorted(([a], [b]) => a < b ? -1 : 1)
      .map(([resource, verbs]) => [resource, [...verbs].toSorted()]),
  );
}

type Grantable = ReturnType<typeof grantableOf>;

/** The resource, or feature, that a name means beside this verb; the name itself where it means none. */
export function granteeMeant(written: string, verb: unknown, grantable: Grantable): string {
  const able = [...grantable].flatMap(([name, verbs]) =>
    verbs.some((one) => one === verb) ? [name] : []
  );
  return nameMeant(written, able) ?? nameMeant(written, grantable.keys()) ?? written;
}

/** Permissions under the names that are meant, for whoever validates them: what is no list of verbs stays as it is. */
export function permissionsMeant(written: unknown, grantable: Grantable): unknown {
  if (!isJsonObject(written)) return written;
  const meant = new Map<string, unknown>();
  for (const [name, verbs] of Object.entries(written)) {
    if (!Array.isArray(verbs) || verbs.length === 0) {
      const known = granteeMeant(name, null, grantable);
      if (!meant.has(known)) meant.set(known, verbs);
      continue;
    }
    for (const verb of verbs) {
      const known = granteeMeant(name, verb, grantable);
      const before = meant.get(known);
      meant.set(known, [...new Set([...(Array.isArray(before) ? before : []), verb])]);
    }
  }
  return Object.fromEntries(meant);
}
