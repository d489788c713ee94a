/** Places of the definitions' parts, which reports name beside a rule (contract 4.7). */
import type { FirewallPredicate, Origin, PredicateKind, TableModel } from "../model/mod.ts";
import { sourcePath } from "../model/mod.ts";
import type { RuledRoute } from "./routes.ts";

/**
 * File → key path in its definition (`read.views.queue.access`, `firewall[0]`) → place. Older spellings stand under the
 * present ones; an action of `defineActions` begins with its name.
 */
export type DefinitionPlaces = ReadonlyMap<string, ReadonlyMap<string, Origin>>;

/** For callers that have no definitions, only a model: every rule stands where its resource begins. */
export const NO_PLACES: DefinitionPlaces = new Map();

/** `quickback/features/tickets/tickets.ts:34`. */
export function placeText({ file, line }: Pick<Origin, "file" | "line">): string {
  return `${file}:${line}`;
}

/** The rule that admits callers to a route: as written, or the one that it is taken from. */
export function routeRulePlace(route: RuledRoute, places: DefinitionPlaces): Origin {
  return nearestPlace(places, route.origin.file, routeRulePath(route, places)) ?? route.origin;
}

/** Key path in the route's file of the rule that binds it. */
function routeRulePath(route: RuledRoute, places: DefinitionPlaces): string {
  const path = memberPrefix(route) + route.rule;
  // A rule that is left out: a batch has its write's, a view its resource's.
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

function memberPrefix({ subject }: RuledRoute): string {
  const path = subject.kind === "action" ? sourcePath(subject.operation.action.source) : [];
  return path.map((member) => `${member}.`).join("");
}

/** The one condition on a column in a route's rule; the rule itself where there are several, or none. */
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

/** A member of a firewall: its own line, or the column that it is derived from. */
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

/** The older spelling's names (definitions 4.1). */
const SCOPE_NAMES: Readonly<Record<PredicateKind, string>> = {
  organization: "organization",
  owner: "owner",
  team: "team",
  notDeleted: "softDelete",
  custom: "",
};

/** A setting of the configuration; null: it was left at its default. */
export function settingPlace(path: string, places: DefinitionPlaces): Origin | null {
  return writtenPlace(places, CONFIG_FILE, path);
}

const CONFIG_FILE = "quickback/quickback.config.ts";

/** Null: nobody wrote it. */
export function writtenPlace(
  places: DefinitionPlaces,
  file: string,
  path: string,
): Origin | null {
  return places.get(file)?.get(path) ?? null;
}

/** The thing itself, or the innermost one around it that is written. */
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
