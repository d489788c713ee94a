/** Lists the names that the permissions of a narrowed credential may contain (contract 5.1). */
import { isJsonObject } from "../lib/json.ts";
import type { ProjectModel } from "../model/mod.ts";
import { actionOperationsOf } from "./action_operations.ts";
import { EVERY_RESOURCE } from "./grants.ts";
import { kebabCase } from "./names.ts";
import { operationsOf } from "./operations.ts";

/** Returns verbs and actions by resource, each sorted; `*` has all of them. */
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

/** Returns a function that finds the resource, or feature, of a name beside a verb. An unknown name is returned unchanged. */
export function granteeReader(grantable: Grantable): (written: string, verb: unknown) => string {
  const byForm = Map.groupBy(grantable.keys(), kebabCase);
  return (written, verb) => {
    const others = (byForm.get(written) ?? []).filter((name) => name !== written);
    const meant = grantable.has(written) ? [written, ...others] : others;
    const able = meant.find((name) => grantable.get(name)?.some((one) => one === verb));
    return able ?? meant[0] ?? written;
  };
}

/** Returns permissions under the known names, for their validation. A value that is no list of verbs is unchanged. */
export function permissionsMeant(written: unknown, grantable: Grantable): unknown {
  if (!isJsonObject(written)) return written;
  const granteeOf = granteeReader(grantable);
  const lists = new Map<string, Set<unknown>>();
  const others = new Map<string, unknown>();
  for (const [name, verbs] of Object.entries(written)) {
    if (!Array.isArray(verbs)) {
      others.set(granteeOf(name, null), verbs);
      continue;
    }
    // An empty list is valid, too.
    for (const verb of verbs.length === 0 ? [null] : verbs) {
      const known = granteeOf(name, verb);
      const list = lists.get(known) ?? new Set();
      lists.set(known, verbs.length === 0 ? list : list.add(verb));
    }
  }
  return Object.fromEntries([...[...lists].map(([name, verbs]) => [name, [...verbs]]), ...others]);
}
