/**
 * Finds rows that rules over relations hide from a caller. Their values differ in the two databases, and some exist in only one
 * (definitions 4.1, 4.2): no answer may reveal which database was used.
 */
import { rulesOf, valuesOf } from "../../shared/column_types/mod.ts";
import type { ColumnModel, ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { admits, followsRelation, hidingPredicates } from "../../shared/oracle/judge.ts";
import { askedIn, mayAdmit, withDeleted } from "../../shared/oracle/judge.ts";
import { type RuledRoute, ruledRoutesOf } from "../../shared/oracle/routes.ts";
import { tableNamed } from "../../shared/surface/mod.ts";
import { followedIn, HOME, isColleagues, isUnique, ruledColumns, timeText } from "../rows/mod.ts";
import { rolledUpColumns, type SeedRow, type SeedValues } from "../rows/mod.ts";
import { actingCaller, type Planning } from "./planning.ts";

/** Differing values of a row, in one database and in the other. */
export type UnseenTwins = ReadonlyMap<SeedRow, readonly [one: SeedValues, other: SeedValues]>;

export function unseenTwins(planning: Planning): UnseenTwins {
  const { model, rows, reserved, parents } = planning;
  // A caller who creates a row below one of these may thereby make it visible to themselves.
  const awaited = new Set([...parents.values()].flat());
  const routes = ruledRoutesOf(model);
  const twins = model.tables.filter((table) => isRuledByRelation(table, routes)).flatMap(
    (table) => {
      const own = routes.filter((route) => route.table?.name === table.name);
      if (!own.some(({ subject }) => mayAdmit(subject.operation.access, planning.world.caller))) {
        return [];
      }
      const columns = freeColumns(table, model);
      const unseen = rows.filter((row) =>
        row.table.name === table.name && row.variant !== HOME && !isColleagues(row) &&
        !reserved.has(row) && !awaited.has(row) && isUnseen(row, own, planning)
      );
      return unseen.map((row, at) => [row, twinsOf(row, at, columns, planning)] as const);
    },
  );
  return new Map(twins);
}

function isRuledByRelation({ name, firewall }: TableModel, routes: readonly RuledRoute[]): boolean {
  return firewall.some(followsRelation) ||
    routes.some(({ table, access }) =>
      table?.name === name && askedIn(access).some(followsRelation)
    );
}

/** True when no route shows the row, even if deleted rows counted as living. */
function isUnseen(row: SeedRow, routes: readonly RuledRoute[], planning: Planning): boolean {
  const caller = actingCaller(planning);
  const { world } = planning.standing;
  return [world, withDeleted(world)].every((one) => {
    const live = { ...row.values, deletedAt: null };
    const isHidden = hidingPredicates(row.table, caller, live, one).length > 0;
    return isHidden ||
      routes.every(({ access, use }) =>
        use === "newRow" || use === "none" || !mayAdmit(access, caller) ||
        !admits(access, caller, live, one)
      );
  });
}

/** Returns columns whose values nothing depends on: no rule, no key, no total. */
function freeColumns(table: TableModel, model: ProjectModel): readonly ColumnModel[] {
  const asked = new Set([...ruledColumns(table, model), ...rolledUpColumns(table, model)]);
  return table.columns.filter(({ name, type, manager, references }) =>
    manager === "client" && references === null && !asked.has(name) && !isUnique(name, table) &&
    !rulesOf(type).isFile
  );
}

function twinsOf(
  row: SeedRow,
  number: number,
  columns: readonly ColumnModel[],
  planning: Planning,
): readonly [SeedValues, SeedValues] {
  const cells = columns.flatMap((column) => {
    if ((row.values[column.name] ?? null) === null) return [];
    const twins = valuesOf(column, row.table).twins(number);
    return twins === null ? [] : [[column.name, twins] as const];
  });
  const side = (at: 0 | 1): SeedValues =>
    Object.fromEntries(cells.map(([name, twins]) => [name, twins[at]]));
  const gone = number % 2 === 1 && mayBeGone(row, planning)
    ? { deletedAt: timeText(planning.now), deletedBy: planning.world.foreign.userId }
    : {};
  const known = Object.entries(gone).filter(([name]) => Object.hasOwn(row.values, name));
  return [side(0), { ...side(1), ...Object.fromEntries(known) }];
}

/**
 * True when a caller who cannot see the row cannot learn of its deletion either: no rule, no total and no parent counts the
 * row.
 */
function mayBeGone({ table, values }: SeedRow, planning: Planning): boolean {
  const { model, standing: { world } } = planning;
  const isLive = Object.hasOwn(values, "deletedAt") && values["deletedAt"] === null;
  const isLedTo = followedIn(model).some(({ asked }) => asked.relation.table === table.name);
  const isCounted = rolledUpColumns(table, model).size > 0;
  const keepsParent = table.columns.some(({ references }) =>
    references !== null &&
    model.resources.some((one) =>
      one.table === tableNamed(references.table, model).name && one.delete?.children === "refuse"
    )
  );
  return isLive && !isLedTo && !isCounted && !keepsParent &&
    hidingPredicates(table, actingCaller(planning), values, world).some(followsRelation);
}
