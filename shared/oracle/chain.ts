/**
 * Records the chain of relations that makes a predicate true or false on a row: every node of it, with the rows that were read.
 */
import type { Condition, Principal, RelatedPredicate, RowPredicate } from "../model/mod.ts";
import { conditionText, predicateText } from "../surface/mod.ts";
import { compare, type Row, type World } from "./judge.ts";

export interface ChainLink {
  /**
   * The node in words, with the compared values: `assigneeId equals ctx.userId: "u2" against "u1"`, `the row "o1" of orders`.
   */
  readonly text: string;
  readonly holds: boolean;
  readonly of: readonly ChainLink[];
}

/** A place in a chain: the row that is judged, and the other rows. */
interface Standing {
  readonly caller: Principal;
  readonly row: Row;
  readonly world: World;
}

export function chainOf(asked: Condition | RowPredicate, standing: Standing): ChainLink {
  const { caller, row, world } = standing;
  const { actual, wanted, holds } = compare(asked, caller, row, world);
  const link = (text: string, of: readonly ChainLink[] = []): ChainLink => ({ text, holds, of });
  if ("column" in asked) {
    const values = `${JSON.stringify(actual)} against ${JSON.stringify(wanted)}`;
    return link(`${conditionText(asked)}: ${values}`);
  }
  switch (asked.kind) {
    case "conditions": {
      const [only, ...others] = asked.conditions;
      if (only && others.length === 0) return chainOf(only, standing);
      return link(
        asked.conditions.length === 0 ? "whatever it holds" : "all of these",
        asked.conditions.map((one) => chainOf(one, standing)),
      );
    }
    case "all":
    case "any": {
      const [only, ...others] = asked.of;
      if (only && others.length === 0) return chainOf(only, standing);
      return link(
        asked.kind === "all" ? "all of these" : "one of these",
        asked.of.map((part) => chainOf(part, standing)),
      );
    }
    case "not":
      return link("not this", [chainOf(asked.of, standing)]);
    case "holders":
      return link(predicateText(asked));
    case "context": {
      const inner = chainOf(asked.of, standing);
      return holds === inner.holds
        ? inner
        : link(`${predicateText(asked)}: the caller lacks ${asked.keys.join(" or ")}`);
    }
    case "related":
      return link(relationText(asked), relatedLinks(asked, standing));
  }
}

function relationText({ relation: { name, direction }, quantifier }: RelatedPredicate): string {
  if (direction === "parent") return `its ${name}`;
  return `${quantifier === "some" ? "some" : "no"} ${name}`;
}

/** Returns the rows that the key leads to, with those that do not count. */
function relatedLinks(
  { relation: { table, own, related, tenant, deletedAt }, of }: RelatedPredicate,
  { caller, row, world }: Standing,
): readonly ChainLink[] {
  const key = row[own] ?? null;
  const none = (text: string) => [{ text, holds: false, of: [] }];
  if (key === null) return none(`${own} is null`);
  const rows = (world.get(table) ?? []).filter((one) => one[related] === key);
  if (rows.length === 0) return none(`there is no row of ${table} with ${related} ${key}`);
  return rows.map((one) => {
    const name = `the row ${JSON.stringify(one["id"] ?? key)} of ${table}`;
    if (tenant !== null && one[tenant.related] !== row[tenant.own]) {
      return { text: `${name} is another tenant's`, holds: false, of: [] };
    }
    if (deletedAt !== null && (one[deletedAt] ?? null) !== null) {
      return { text: `${name} is deleted`, holds: false, of: [] };
    }
    const inner = chainOf(of, { caller, row: one, world });
    return { text: name, holds: inner.holds, of: [inner] };
  });
}
