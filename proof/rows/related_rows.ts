/**
 * Makes rows on both sides of every relation. For each kind of row that a relation leads to (own, another's, of another tenant,
 * deleted, none) it makes one row that refers to it, through every depth of a rule (docs/decisions/relations.md).
 */
import type {
  Principal,
  RelatedPredicate,
  RowPredicate,
  TableModel,
} from "../../shared/model/mod.ts";
import { compare, type World as Related } from "../../shared/oracle/judge.ts";
import type { Followed } from "./followed.ts";
import type { SeedRow } from "./seed_row.ts";

interface RelatedSeeding {
  readonly tables: readonly TableModel[];
  readonly followed: readonly Followed[];
  /** Member at home, by whom a row is the caller's own or another's. */
  readonly caller: Principal;
  /**
   * Decides whether copies of the row get other keys. `whole`: copies refer to rows of every side. `met`: only to rows that
   * meet the rule, so that nothing but the row's own tenant or deletion hides it. Null: no copies are made.
   */
  baseKind(row: SeedRow): "whole" | "met" | null;
  /** Makes a row with a new id, with a new parent if it needs one. */
  make(table: TableModel, row: Pick<SeedRow, "variant" | "values">): readonly SeedRow[];
}

/**
 * Returns the rows with the missing ones added. Inner relations of a rule come first, so that outer ones can refer to the rows
 * made for them.
 */
export function withRelatedRows(
  rows: readonly SeedRow[],
  seeding: RelatedSeeding,
): readonly SeedRow[] {
  return seeding.followed.reduceRight((all, one) => {
    const missing = one.asked.relation.direction === "parent"
      ? rowsThatRefer(one, all, seeding)
      : rowsReferredTo(one, all, seeding);
    return [...all, ...missing];
  }, rows);
}

/** Returns for each side a row whose key refers to a row of that side. */
function rowsThatRefer(
  { from, asked }: Followed,
  all: readonly SeedRow[],
  seeding: RelatedSeeding,
): readonly SeedRow[] {
  const { relation: { own, related, name } } = asked;
  const world = worldOf(all, seeding);
  return basesOf(from, all, seeding).flatMap((base) => {
    const keys = new Set(
      all.filter((row) => isLike(row, base)).map(({ values }) => values[own] ?? null),
    );
    return [...sidesOf(asked, base, all, world, seeding).values()].flatMap((targets) => {
      const [target] = targets;
      if (!target || targets.some(({ values }) => keys.has(values[related] ?? null))) return [];
      const variant = `${base.variant}, its ${name} "${target.variant}"`;
      const key = target.values[related] ?? null;
      return seeding.make(base.table, { variant, values: { ...base.values, [own]: key } });
    });
  });
}

/** Returns for each side a row to which one row refers, and a row to which none refers. */
function rowsReferredTo(
  { from, asked }: Followed,
  all: readonly SeedRow[],
  seeding: RelatedSeeding,
): readonly SeedRow[] {
  const { relation: { table, own, related, name } } = asked;
  const world = worldOf(all, seeding);
  const children = Map.groupBy(
    all.filter((row) => row.table.name === table),
    ({ values }) => values[related] ?? null,
  );
  return basesOf(from, all, seeding).flatMap((base) => {
    const sides = sidesOf(asked, base, all, world, seeding);
    const sideOfRow = new Map([...sides].flatMap(([side, rows]) => rows.map((row) => [row, side])));
    const found = new Set(
      all.filter((row) => isLike(row, base)).map(({ values }) =>
        (children.get(values[own] ?? null) ?? []).map((row) => sideOfRow.get(row) ?? "?").join()
      ),
    );
    const make = (variant: string) =>
      seeding.make(base.table, { variant: `${base.variant}, ${variant}`, values: base.values });
    const isWhole = seeding.baseKind(base) === "whole";
    const alone = isWhole && !found.has("") ? make(`without ${name}`) : [];
    const single = [...sides].flatMap(([side, [child]]) => {
      if (!child || found.has(side)) return [];
      const made = make(`with ${name} "${child.variant}"`);
      const owner = made.at(-1);
      const values = { ...child.values, [related]: owner?.values[own] ?? null };
      const variant = `${child.variant} of "${owner?.variant}"`;
      return [...made, ...seeding.make(child.table, { variant, values })];
    });
    return [...alone, ...single];
  });
}

/** True for a base row and for rows that were made from it. */
function isLike({ table, variant }: SeedRow, base: SeedRow): boolean {
  return table.name === base.table.name &&
    (variant === base.variant || variant.startsWith(`${base.variant}, `));
}

function basesOf(
  table: string,
  all: readonly SeedRow[],
  { baseKind }: RelatedSeeding,
): readonly SeedRow[] {
  return all.filter((row) => row.table.name === table && baseKind(row) !== null);
}

function worldOf(all: readonly SeedRow[], { tables }: RelatedSeeding): Related {
  const seeded = Map.groupBy(all, ({ table }) => table.name);
  return new Map(
    tables.map(({ name }) => [name, (seeded.get(name) ?? []).map(({ values }) => values)]),
  );
}

/** Groups related rows by the conditions that they meet. */
function sidesOf(
  { relation, of }: RelatedPredicate,
  base: SeedRow,
  all: readonly SeedRow[],
  world: Related,
  { caller, baseKind }: RelatedSeeding,
): ReadonlyMap<string, readonly SeedRow[]> {
  const isWhole = baseKind(base) === "whole";
  const { table, tenant, deletedAt } = relation;
  const sides = new Map<string, SeedRow[]>();
  for (const row of all.filter((one) => one.table.name === table)) {
    const isForeign = tenant !== null && row.values[tenant.related] !== base.values[tenant.own];
    const isDeleted = deletedAt !== null && (row.values[deletedAt] ?? null) !== null;
    // A row that fails for one reason must meet the rest of the rule.
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
    sides.set(side, [...sides.get(side) ?? [], row]);
  }
  return sides;
}

/** Describes which parts of a predicate a row meets: rows with the same text are equal for every condition. */
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
