/**
 * Computes indexes for related rows in rules: for their scope, the compared columns, and their deletion
 * (docs/decisions/relations.md).
 */
import type { Access, ActionModel, ResourceModel, RowPredicate } from "../../../../model/mod.ts";
import { relationsIn } from "../../../../surface/mod.ts";
import type { Subject } from "../rules/rule.ts";
import { accessRules } from "./named_roles.ts";

type Columns = readonly string[];

/** Returns the columns of the indexes, by table. */
export function ruleIndexes(
  subjects: readonly Subject[],
  actions: readonly ActionModel[],
): ReadonlyMap<string, readonly Columns[]> {
  const predicates = [
    ...subjects.flatMap(({ firewall, resource }) => [
      ...firewall.predicates.flatMap((one) => one.kind === "rule" ? [one.predicate] : []),
      ...(resource ? resourcePredicates(resource) : []),
    ]),
    ...actions.flatMap(({ access }) => predicatesIn(access)),
  ];
  const indexes = new Map<string, Columns[]>();
  // A caller who names a tenant by a row has none yet, so this index covers all tenants.
  for (const { tenantOf } of actions) {
    if (!tenantOf) continue;
    const { table, column } = tenantOf;
    indexes.set(table, [...indexes.get(table) ?? [], [column]]);
  }
  for (const { relation, of } of predicates.flatMap(relationsIn)) {
    const { table, tenant, deletedAt } = relation;
    for (const compared of comparedTogether(of)) {
      const columns = [
        ...(tenant === null ? [] : [tenant.related]),
        ...compared,
        ...(deletedAt === null ? [] : [deletedAt]),
        ...relation.columns.slice(0, 1).map(({ name }) => name),
      ];
      indexes.set(table, [...indexes.get(table) ?? [], [...new Set(columns)]]);
    }
  }
  return indexes;
}

function resourcePredicates(resource: ResourceModel): readonly RowPredicate[] {
  const { masks } = resource;
  return [
    ...accessRules(resource).flatMap(predicatesIn),
    ...Object.values(masks).flatMap(({ showRows }) => showRows ? [showRows] : []),
  ];
}

function predicatesIn(access: Access): readonly RowPredicate[] {
  switch (access.kind) {
    case "row":
      return [access.predicate];
    case "all":
    case "any":
    case "first":
      return access.of.flatMap(predicatesIn);
    default:
      return [];
  }
}

/** Returns the columns of one row that a predicate compares together. */
function comparedTogether(predicate: RowPredicate): readonly Columns[] {
  switch (predicate.kind) {
    case "conditions": {
      const columns = predicate.conditions.map(({ column }) => column);
      return columns.length === 0 ? [] : [columns];
    }
    case "all":
    case "any":
      return predicate.of.flatMap(comparedTogether);
    case "not":
    case "context":
      return comparedTogether(predicate.of);
    case "related":
    case "holders":
      return [];
  }
}
