/** Builds the trees of predicates that rules are read into, and measures them (docs/decisions/relations.md). */
import type { Condition, ContextKey, ContextList, RowPredicate } from "../../../../model/mod.ts";

/** Joins parts. A single part is returned as it is, and conditions that all bind become one list. */
export function joined(kind: "all" | "any", parts: readonly RowPredicate[]): RowPredicate {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  if (kind === "any") return { kind, of: parts };
  const flat = parts.flatMap((part) => part.kind === "all" ? part.of : [part]);
  const plain = flat.flatMap((part) => part.kind === "conditions" ? part.conditions : []);
  const others = flat.filter((part) => part.kind !== "conditions");
  if (others.length === 0) return { kind: "conditions", conditions: plain };
  const of = plain.length === 0
    ? others
    : [{ kind: "conditions" as const, conditions: plain }, ...others];
  const [alone] = of;
  return of.length === 1 && alone ? alone : { kind, of };
}

/** Returns the values of the caller that the predicate compares with, without those of parts that require their own. */
export function contextKeysOf(predicate: RowPredicate): readonly (ContextKey | ContextList)[] {
  return [...new Set(contexts(predicate))];
}

function contexts(predicate: RowPredicate): readonly (ContextKey | ContextList)[] {
  switch (predicate.kind) {
    case "conditions":
      return predicate.conditions.flatMap(({ operand }) =>
        operand.kind === "context" || operand.kind === "contextList" ? [operand.key] : []
      );
    case "all":
    case "any":
      return predicate.of.flatMap(contexts);
    case "not":
    case "related":
      return contexts(predicate.of);
    case "holders":
    case "context":
      return [];
  }
}

/** Measures of a rule: its comparisons, its relations, and the longest path over foreign keys. */
export interface RuleSize {
  readonly comparisons: number;
  readonly relations: number;
  /** Names of the relations on the longest path. */
  readonly way: readonly string[];
}

export function sizeOf(predicate: RowPredicate): RuleSize {
  switch (predicate.kind) {
    case "conditions":
      return { comparisons: predicate.conditions.length, relations: 0, way: [] };
    case "all":
    case "any":
      return predicate.of.map(sizeOf).reduce(added, { comparisons: 0, relations: 0, way: [] });
    case "not":
    case "context":
      return sizeOf(predicate.of);
    case "related": {
      const { comparisons, relations, way } = sizeOf(predicate.of);
      return { comparisons, relations: relations + 1, way: [predicate.relation.name, ...way] };
    }
    case "holders":
      return { comparisons: 0, relations: 0, way: [] };
  }
}

export function added(one: RuleSize, other: RuleSize): RuleSize {
  return {
    comparisons: one.comparisons + other.comparisons,
    relations: one.relations + other.relations,
    way: one.way.length >= other.way.length ? one.way : other.way,
  };
}

/** Returns conditions as a tree. */
export function conditionsOf(...conditions: readonly Condition[]): RowPredicate {
  return { kind: "conditions", conditions };
}
