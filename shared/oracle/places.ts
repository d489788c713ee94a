/** Finds the places of the definitions' parts, which reports show beside a rule (contract 4.7). */
import type { FirewallPredicate, Origin, PredicateKind, TableModel } from "../model/mod.ts";
import { sourcePath } from "../model/mod.ts";
import type { RuledRoute } from "./routes.ts";

/**
 * Maps a file to a key path in its definition (`read.views.queue.access`, `firewall[0]`), and that to a place. Older spellings
 * are listed under the current ones; a path of an action of `defineActions` begins with the action's name.
 */
export type DefinitionPlaces = ReadonlyMap<string, ReadonlyMap<string, Origin>>;

/** Places for callers that have only a model: the place of every rule is the beginning of its resource. */
export const NO_PLACES: DefinitionPlaces = new Map();

/** Returns a place as text: `quickback/features/tickets/tickets.ts:34`. */
export function placeText({ file, line }: Pick<Origin, "file" | "line">): string {
  return `${file}:${line}`;
}

/** Returns the place of the rule that admits callers to a route: the rule itself, or the one that it is inherited from. */
export function routeRulePlace(route: RuledRoute, places: DefinitionPlaces): Origin {
  return nearestPlace(places, route.origin.file, routeRulePath(route, places)) ?? route.origin;
}

/** Returns the key path, in the route's file, of the rule that binds it. */
function routeRulePath(route: RuledRoute, places: DefinitionPlaces): string {
  const { subject, rule } = route;
  const members = subject.kind === "action" ? sourcePath(subject.operation.action.source) : [];
  const path = [...members, rule].join(".");
  // If a rule is left out, a batch has the rule of its write, and a view that of its resource.
  const candidates = [
    path,
    ...path.endsWith(".batch.access")
      ? [path.replace(".batch.access", ".access")]
      : path.startsWith("read.views.")
      ? ["read.access"]
      : [],
  ];
  return candidates.find((one) => writtenPlace(places, route.origin.file, one) !== null) ?? path;
}

/** Returns the place of the one condition on a column in a route's rule, or of the rule if it has several, or none. */
export function conditionPlace(
  route: RuledRoute,
  column: string,
  places: DefinitionPlaces,
): Origin {
  const rule = routeRulePath(route, places);
  const [only, ...others] = [...places.get(route.origin.file) ?? []].filter(([path]) =>
    path.startsWith(rule) && path.endsWith(`record.${column}`)
  );
  return only !== undefined && others.length === 0 ? only[1] : routeRulePlace(route, places);
}

/** Returns the place of a firewall's member: its own line, or the column that it is derived from. */
export function predicatePlace(
  table: TableModel,
  predicate: FirewallPredicate,
  places: DefinitionPlaces,
): Origin {
  const candidates = [
    `firewall[${table.firewall.indexOf(predicate)}]`,
    ...(predicate.kind === "rule"
      ? []
      : [`firewall.${SCOPE_NAMES[predicate.kind]}`, `columns.${predicate.column}`]),
  ];
  return candidates.map((path) => writtenPlace(places, table.origin.file, path))
    .find((place) => place !== null) ?? table.origin;
}

/** Names of the older spelling (definitions 4.1). */
const SCOPE_NAMES: Readonly<Record<PredicateKind, string>> = {
  organization: "organization",
  owner: "owner",
  team: "team",
  notDeleted: "softDelete",
  custom: "",
};

/** Returns the place of a setting of the configuration; null: it has its default. */
export function settingPlace(path: string, places: DefinitionPlaces): Origin | null {
  return writtenPlace(places, CONFIG_FILE, path);
}

const CONFIG_FILE = "quickback/quickback.config.ts";

/** Returns the place; null: the author did not write the part. */
export function writtenPlace(
  places: DefinitionPlaces,
  file: string,
  path: string,
): Origin | null {
  return places.get(file)?.get(path) ?? null;
}

/** Returns the place of the part, or of the innermost part around it that the author wrote. */
export function nearestPlace(
  places: DefinitionPlaces,
  file: string,
  path: string,
): Origin | null {
  const parts = path.split(".");
  const paths = parts.map((_, at) => parts.slice(0, parts.length - at).join("."));
  return paths.map((candidate) => writtenPlace(places, file, candidate))
    .find((place) => place !== null) ?? null;
}
