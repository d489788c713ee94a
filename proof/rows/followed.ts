/** Relations that the rules of a project follow, and what they ask of the rows on either side (definitions 4.1, 4.2, 4.4). */
import type { Condition, ProjectModel, RelatedPredicate } from "../../shared/model/mod.ts";
import type { RowPredicate, TableModel } from "../../shared/model/mod.ts";
import { accessPredicates, relationsAt } from "../../shared/surface/mod.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";

/** A relation from a row of one table. */
export interface Followed {
  /** The table whose rows it starts from. */
  readonly from: string;
  readonly asked: RelatedPredicate;
}

/** Predicates that rules ask of a table's own rows: its firewall, every route and every mask. */
export function predicatesOn(
  table: TableModel,
  { resources }: ProjectModel,
  routes: readonly RuledRoute[],
): readonly RowPredicate[] {
  const masks = resources.filter((one) => one.table === table.name)
    .flatMap((one) => Object.values(one.masks));
  return distinct([
    ...table.firewall.flatMap((one) => one.kind === "rule" ? [one.predicate] : []),
    ...routes.filter((route) => route.table?.name === table.name)
      .flatMap(({ access }) => accessPredicates(access)),
    ...masks.flatMap(({ showRows }) => showRows ? [showRows] : []),
  ]);
}

/** Every relation of every rule, at every depth. */
export function followedIn(
  model: ProjectModel,
  routes: readonly RuledRoute[],
): readonly Followed[] {
  return distinct(
    model.tables.flatMap((table) => followedFrom(table.name, predicatesOn(table, model, routes))),
  );
}

function followedFrom(from: string, predicates: readonly RowPredicate[]): readonly Followed[] {
  return relationsAt(predicates).flatMap((asked) => [
    { from, asked },
    ...followedFrom(asked.relation.table, [asked.of]),
  ]);
}

/** Conditions on columns of the predicate's own row. */
export function ownConditions(predicate: RowPredicate): readonly Condition[] {
  switch (predicate.kind) {
    case "conditions":
      return predicate.conditions;
    case "all":
    case "any":
      return predicate.of.flatMap(ownConditions);
    case "not":
    case "context":
      return ownConditions(predicate.of);
    default:
      return [];
  }
}

function distinct<T>(all: readonly T[]): readonly T[] {
  const texts = new Set<string>();
  return all.filter((one) => {
    const text = JSON.stringify(one);
    return !texts.has(text) && texts.add(text);
  });
}
