/** Names that the permissions of a narrowed credential may hold (contract 5.1). */
import type { ProjectModel } from "../model/mod.ts";
import { actionOperationsOf } from "./action_operations.ts";
import { EVERY_RESOURCE } from "./grants.ts";
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
