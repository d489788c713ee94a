/**
 * Relations that the rules of a project follow, and their conditions on the rows of either side (definitions 4.1, 4.2, 4.4).
 */
import type { Condition, ProjectModel, RelatedPredicate } from "../../shared/model/mod.ts";
import type { RowPredicate, TableModel } from "../../shared/model/mod.ts";
import { accessPredicates, relationsAt } from "../../shared/surface/mod.ts";
import { ruledRoutesOf } from "../../shared/oracle/routes.ts";

/** Relation from a row of one table. */
export interface Followed {
  /** Table from whose rows the relation starts. */
  readonly from: string;
  readonly asked: RelatedPredicate;
}

/** Predicates and relations of a project's rules, collected once. */
interface Asked {
  /** Predicates on a table's own rows, by table: those of its firewall, of every route and of every mask. */
  readonly predicates: ReadonlyMap<string, readonly RowPredicate[]>;
  /** Every relation of every rule, at every depth. */
  readonly followed: readonly Followed[];
}

const ASKED = new WeakMap<ProjectModel, Asked>();

export function predicatesOn({ name }: TableModel, model: ProjectModel): readonly RowPredicate[] {
  return askedIn(model).predicates.get(name) ?? [];
}

export function followedIn(model: ProjectModel): readonly Followed[] {
  return askedIn(model).followed;
}

function askedIn(model: ProjectModel): Asked {
  const asked = ASKED.get(model) ?? readAsked(model);
  ASKED.set(model, asked);
  return asked;
}

function readAsked(model: ProjectModel): Asked {
  const routes = ruledRoutesOf(model);
  const predicates = new Map(model.tables.map((table) => {
    const masks = model.resources.filter((one) => one.table === table.name)
      .flatMap((one) => Object.values(one.masks));
    const all = [
      ...table.firewall.flatMap((one) => one.kind === "rule" ? [one.predicate] : []),
      ...routes.filter((route) => route.table?.name === table.name)
        .flatMap(({ access }) => accessPredicates(access)),
      ...masks.flatMap(({ showRows }) => showRows ? [showRows] : []),
    ];
    return [table.name, distinct(all)];
  }));
  return {
    predicates,
    followed: distinct([...predicates].flatMap(([from, all]) => followedFrom(from, all))),
  };
}

function followedFrom(from: string, predicates: readonly RowPredicate[]): readonly Followed[] {
  return relationsAt(predicates).flatMap((asked) => [
    { from, asked },
    ...followedFrom(asked.relation.table, [asked.of]),
  ]);
}

/** Returns the conditions on columns of the predicate's own row. */
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
