/**
 * Rows on both sides of every relation: for each kind of row that a relation leads to (of mine, of another's, of another tenant's,
 * deleted, none) one from which it leads there, through every depth of a rule (docs/decisions/relations.md).
 */
import type { Principal, RowPredicate, TableModel } from "../../shared/model/mod.ts";
import { compare, type World as Related } from "../../shared/oracle/judge.ts";
import type { Followed } from "./followed.ts";
import type { SeedRow } from "./seed_row.ts";

interface RelatedSeeding {
  readonly followed: readonly Followed[];
  /** A member at home, from whom a row is one's own or another's. */
  readonly caller: Principal;
  /**
   * Rows that others are made like, but for the key that leads elsewhere: `whole` to every side, `met` to rows that meet the
   * rule alone, as nothing but the row's own tenant or deletion is to keep it back. Null: none is made like this one.
   */
  baseKind(row: SeedRow): "whole" | "met" | null;
  /** Makes a row under an id of its own, behind the parent that it may need. */
  make(table: TableModel, row: Pick<SeedRow, "variant" | "values">): readonly SeedRow[];
}

/** Rules are three keys deep: what one round makes is led to in the next. */
const ROUNDS = 3;

/** The rows, and those that were missing. */
export function withRelatedRows(
  rows: readonly SeedRow[],
  seeding: RelatedSeeding,
): readonly SeedRow[] {
  const all = [...rows];
  const done = new Set<string>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = all.length;
    for (const one of seeding.followed) {
      const missing = one.asked.relation.direction === "parent"
        ? rowsThatRefer(one, all, done, seeding)
        : rowsReferredTo(one, all, done, seeding);
      all.push(...missing);
    }
    if (all.length === before) break;
  }
  return all;
}

/** For each side a row whose key leads to a row of it. */
function rowsThatRefer(
  { from, asked }: Followed,
  all: readonly SeedRow[],
  done: Set<string>,
  seeding: RelatedSeeding,
): readonly SeedRow[] {
  const { relation: { own, related, name } } = asked;
  return basesOf(from, all, seeding).flatMap((base) =>
    sidesOf({ from, asked }, base, all, seeding).flatMap(({ side, row }) => {
      const target = row.values[related] ?? null;
      if (target === base.values[own] || !isNew([from, name, base.variant, side], done)) return [];
      const variant = `${base.variant}, its ${name} "${row.variant}"`;
      return seeding.make(base.table, { variant, values: { ...base.values, [own]: target } });
    })
  );
}

/** For each side a row that one row of it refers to, and a row that none refers to. */
function rowsReferredTo(
  { from, asked }: Followed,
  all: readonly SeedRow[],
  done: Set<string>,
  seeding: RelatedSeeding,
): readonly SeedRow[] {
  const { relation: { own, related, name } } = asked;
  return basesOf(from, all, seeding).flatMap((base) => {
    const { table, values, variant } = base;
    const isWhole = seeding.baseKind(base) === "whole";
    const alone = isWhole && isNew([from, name, variant, "none"], done)
      ? seeding.make(table, { variant: `${variant}, without ${name}`, values })
      : [];
    const single = sidesOf({ from, asked }, base, all, seeding).flatMap(({ side, row }) => {
      if (!isNew([from, name, variant, side], done)) return [];
      const what = `${variant}, with ${name} "${row.variant}"`;
      const made = seeding.make(table, { variant: what, values });
      const key = made.at(-1)?.values[own] ?? null;
      const child = { ...row.values, [related]: key };
      return [
        ...made,
        ...seeding.make(row.table, { variant: `${row.variant} of "${what}"`, values: child }),
      ];
    });
    return [...alone, ...single];
  });
}

function basesOf(
  table: string,
  all: readonly SeedRow[],
  { baseKind }: RelatedSeeding,
): readonly SeedRow[] {
  return all.filter((row) => row.table.name === table && baseKind(row) !== null);
}

function isNew(key: readonly string[], done: Set<string>): boolean {
  const text = JSON.stringify(key);
  return !done.has(text) && done.add(text) === done;
}

interface Side {
  readonly side: string;
  readonly row: SeedRow;
}

/** Related rows that differ in what is asked of them, one of each kind. */
function sidesOf(
  { asked: { relation, of } }: Followed,
  base: SeedRow,
  all: readonly SeedRow[],
  { caller, baseKind }: RelatedSeeding,
): readonly Side[] {
  const isWhole = baseKind(base) === "whole";
  const { table, tenant, deletedAt } = relation;
  const world: Related = new Map(
    [...Map.groupBy(all, (row) => row.table.name)].map(([name, rows]) => [
      name,
      rows.map(({ values }) => values),
    ]),
  );
  const sides = new Map<string, SeedRow>();
  for (const row of all.filter((one) => one.table.name === table)) {
    const isForeign = tenant !== null && row.values[tenant.related] !== base.values[tenant.own];
    const isDeleted = deletedAt !== null && (row.values[deletedAt] ?? null) !== null;
    // A row that is not there for one reason is to meet the rule otherwise.
    const isMet = compare(of, caller, row.values, world).holds;
    if (isForeign && isDeleted) continue;
    if (isWhole ? (isForeign || isDeleted) && !isMet : isForeign || isDeleted || !isMet) continue;
    const side = !isWhole
      ? "met"
      : isForeign
      ? "foreign"
      : isDeleted
      ? "deleted"
      : sideOf(of, row.values, world, caller);
    if (!sides.has(side)) sides.set(side, row);
  }
  return [...sides].map(([side, row]) => ({ side, row }));
}

/** What a row answers to each part of a predicate: rows with the same text differ in nothing that is asked. */
function sideOf(
  predicate: RowPredicate,
  row: SeedRow["values"],
  world: Related,
  caller: Principal,
): string {
  switch (predicate.kind) {
    case "conditions":
      return predicate.conditions.map((one) => compare(one, caller, row).holds ? "+" : "-").join(
        "",
      );
    case "all":
    case "any":
      return `(${predicate.of.map((part) => sideOf(part, row, world, caller)).join(" ")})`;
    case "not":
    case "context":
      return sideOf(predicate.of, row, world, caller);
    case "holders":
      return "";
    case "related": {
      const { relation: { table, own, related, tenant, deletedAt }, of } = predicate;
      const key = row[own] ?? null;
      if (key === null) return "null";
      const sides = (world.get(table) ?? []).filter((one) => one[related] === key).map((one) => {
        if (tenant !== null && one[tenant.related] !== row[tenant.own]) return "foreign";
        if (deletedAt !== null && (one[deletedAt] ?? null) !== null) return "deleted";
        return compare(of, caller, one, world).holds ? "+" : "-";
      });
      return `[${[...new Set(sides)].sort().join(" ")}]`;
    }
  }
}
