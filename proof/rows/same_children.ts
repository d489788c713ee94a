/** Copies the rows to which rules lead from a row, so that a rule has the same result for a copy of the row. */
import { compare } from "../../shared/oracle/judge.ts";
import type { Followed } from "./followed.ts";
import type { SeedRow } from "./seed_row.ts";
import { memberOf, rowOf, type SpareSeeding } from "./seed_rows.ts";
import { StandingRows } from "./standing_rows.ts";

/** Copies one child for each result of a rule, together with the child's own children. */
export function sameChildren(
  row: SeedRow,
  copy: SeedRow,
  rows: readonly SeedRow[],
  seeding: SpareSeeding,
): readonly SeedRow[] {
  return seeding.followed.filter(({ from, asked: { relation } }) =>
    relation.direction === "children" && from === row.table.name
  ).flatMap((followed) =>
    decisive(followed, row, rows, seeding).flatMap((child) => {
      const { relation: { own, related } } = followed.asked;
      const values = { ...child.values, [related]: copy.values[own] ?? null };
      const variant = `${child.variant} of "${copy.variant}"`;
      const made = rowOf(child.table, { variant, values }, seeding);
      return [
        ...made,
        ...made.slice(-1).flatMap((one) => sameChildren(child, one, rows, seeding)),
      ];
    })
  );
}

function decisive(
  { asked: { relation, of } }: Followed,
  { values }: SeedRow,
  rows: readonly SeedRow[],
  { model, world: { caller, home, foreign, ...world } }: SpareSeeding,
): readonly SeedRow[] {
  const standing = new StandingRows(model, rows).world;
  const children = rows.filter((one) =>
    one.table.name === relation.table && one.values[relation.related] === values[relation.own] &&
    (one.values["deletedAt"] ?? null) === null
  );
  const callers = [caller, memberOf({ ...world, caller, home, foreign })];
  const kinds = Map.groupBy(
    children,
    (one) => callers.map((by) => compare(of, by, one.values, standing).holds).join(),
  );
  return [...kinds.values()].flatMap((all) => all.slice(0, 1));
}
