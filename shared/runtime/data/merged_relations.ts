/** Merges conditions on one relation, so that its rows are read once (docs/decisions/reads.md). */
import type { Related, RowFilter } from "./types.ts";

/** Returns an equivalent filter with fewer relations. */
export function mergedRelations(filter: RowFilter): RowFilter {
  switch (filter.kind) {
    case "conditions":
      return filter;
    case "not":
      return { kind: "not", of: mergedRelations(filter.of) };
    case "related":
      return { ...filter, of: filter.of.map(mergedRelations) };
    case "all":
    case "any":
      return mergedJunction(filter.kind, filter.of);
  }
}

function mergedJunction(kind: "all" | "any", of: readonly RowFilter[]): RowFilter {
  const others: RowFilter[] = [];
  const relations = new Map<string, Related[]>();
  for (const one of flattened(kind, of)) {
    if (one.kind !== "related") {
      others.push(mergedRelations(one));
      continue;
    }
    const { relation: { direction, name }, quantifier } = one;
    const key = `${quantifier} ${direction} ${name}`;
    relations.set(key, [...relations.get(key) ?? [], one]);
  }
  const parts = [...others, ...[...relations.values()].map((same) => mergedRelated(kind, same))];
  const [only] = parts;
  return parts.length === 1 && only ? only : { kind, of: parts };
}

function flattened(kind: "all" | "any", of: readonly RowFilter[]): readonly RowFilter[] {
  return of.flatMap((one) =>
    (one.kind === "all" || one.kind === "any") && (one.kind === kind || one.of.length === 1)
      ? flattened(kind, one.of)
      : [one]
  );
}

/** Merges conditions if that is equivalent. A parent is one row; of children each condition may be met by a different one. */
function mergedRelated(kind: "all" | "any", same: readonly Related[]): RowFilter {
  const [first] = same;
  if (!first) throw new Error("There is nothing to merge");
  const of = same.flatMap((one) => one.of);
  const isEach = (kind === "all") === (first.quantifier === "some");
  if (first.relation.direction === "children" && isEach) {
    return { ...first, of: of.map(mergedRelations) };
  }
  const junction = isEach ? "all" : "any";
  return { ...first, of: [mergedJunction(junction, of)] };
}
