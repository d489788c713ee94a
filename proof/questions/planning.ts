/** Plan of one class of callers in its world, from which every kind of question is made. */
import type { RuntimeCode } from "../../shared/contract/mod.ts";
import type { ColumnModel, FirewallPredicate, JsonValue } from "../../shared/model/mod.ts";
import type { Principal, ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { isPerOrganization } from "../../shared/model/mod.ts";
import { SCOPE_PARAMETER } from "../../shared/surface/mod.ts";
import { accessText, explain, explainChanged } from "../../shared/oracle/explain.ts";
import type { Explanation } from "../../shared/oracle/explain.ts";
import { hidingPredicates, mayAdmit } from "../../shared/oracle/judge.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import { foreignVariant, HOME, KNOWN, organizationOf, peerVariant } from "../rows/mod.ts";
import type { HiddenColumn, NewRowId, RowId, SeedRow, SeedValues } from "../rows/mod.ts";
import type { StandingRows, World } from "../rows/mod.ts";
import type { Looking } from "./expected_record.ts";
import type { Because, Channel, Expectation, Probe, Question } from "./question.ts";

export interface Planning {
  readonly model: ProjectModel;
  readonly world: World;
  readonly rows: readonly SeedRow[];
  /** Seeded rows and all rows that earlier questions created, in their current state. */
  readonly standing: StandingRows;
  readonly newId: NewRowId;
  nextNumber(): number;
  readonly now: number;
  /** Maps each row that one operation uses up to the operation's id. */
  readonly reserved: ReadonlyMap<SeedRow, string>;
  /** Parents for new rows by child table. Each parent is used once if two rows cannot share one. */
  readonly parents: ReadonlyMap<string, SeedRow[]>;
  /** Null: only questions with predicted answers are asked. */
  readonly exploring: Exploring | null;
}

/** Further questions about rows that differ in the other database. */
export interface Exploring {
  /** Columns that the caller may not see: the databases differ only in these. */
  readonly hidden: readonly HiddenColumn[];
  readonly twins: readonly SeedRow[];
  /** Rows that rules over relations hide from the caller, with the columns that differ. */
  readonly unseen: readonly { readonly row: SeedRow; readonly columns: readonly ColumnModel[] }[];
}

/** Returns the columns of a table that the caller may not see and that the plan asks by. */
export function hiddenIn(table: string, { exploring }: Planning): readonly HiddenColumn[] {
  return exploring?.hidden.filter((one) => one.table.name === table) ?? [];
}

/** Returns cells of a table's hidden rows: a column, and the values of one row in both databases. */
export function unseenCells(
  table: TableModel,
  planning: Planning,
): readonly {
  readonly id: RowId;
  readonly column: string;
  readonly values: readonly JsonValue[];
}[] {
  const all = planning.exploring?.unseen.filter(({ row }) => row.table.name === table.name) ?? [];
  return all.slice(0, UNSEEN_MAX).flatMap(({ row: { id }, columns }) =>
    columns.map((column) => {
      return { id, column: column.name, values: cellsOf({ column, table }, id, planning) };
    })
  );
}

/** Maximum number of a table's rows whose values are used in questions. */
const UNSEEN_MAX = 2;

/** Ids of the rows that questions without a predicted answer use; if there is no such row, an id that no row has. */
export interface Cast {
  readonly own: RowId;
  readonly others: readonly [RowId, RowId, RowId];
  /** Row that is equal in both databases in its unique values. */
  readonly known: RowId;
  readonly foreign: RowId;
  readonly deleted: RowId;
  readonly untouched: RowId;
  readonly missing: RowId;
}

export function castOf(table: TableModel, planning: Planning): Cast {
  const rows = rowsOf(table, planning);
  const missing = missingId(table, planning);
  const idOf = (wanted: string) => rows.find(({ variant }) => variant === wanted)?.id ?? missing;
  return {
    own: idOf(HOME),
    others: [idOf(peerVariant(0)), idOf(peerVariant(1)), idOf(peerVariant(2))],
    known: idOf(KNOWN),
    foreign: idOf(foreignVariant(table)),
    deleted: idOf("deleted"),
    untouched: idOf(peerVariant(4)),
    missing,
  };
}

/** Returns the values of the column in one row, in both databases. */
export function cellsOf(
  { column, table }: Pick<HiddenColumn, "column" | "table">,
  id: RowId,
  { rows, exploring }: Planning,
): readonly JsonValue[] {
  return [rows, exploring?.twins ?? []].flatMap((all) =>
    all.filter((row) => row.id === id && row.table.name === table.name)
      .map((row) => row.values[column.name] ?? null)
  );
}

/** Returns those values if they differ. */
export function secretsOf(
  one: Pick<HiddenColumn, "column" | "table">,
  id: RowId,
  planning: Planning,
): readonly JsonValue[] {
  const cells = cellsOf(one, id, planning);
  return cells[0] === cells[1] ? [] : cells;
}

/** Writes a value as a query contains it. */
export function queryText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** True when the caller may be admitted to some row: callers who are always refused get fewer questions. */
export function isLetIn({ subject }: RuledRoute, { world }: Planning): boolean {
  return mayAdmit(subject.operation.access, world.caller);
}

/** Returns the organization of the request: an anonymous caller names one. */
export function namedOrganization({ model, world }: Planning): string | null {
  return world.caller.credential === "none" && model.multiTenant ? world.home.organizationId : null;
}

/** Returns the caller in the organization that scopes the request. */
export function actingCaller(planning: Planning): Principal {
  const named = namedOrganization(planning);
  const { caller } = planning.world;
  return named === null ? caller : { ...caller, organizationId: named };
}

export function lookingOf(planning: Planning): Looking {
  const { model, rows, standing } = planning;
  return { model, caller: actingCaller(planning), rows, standing };
}

/** Explains the outcome for a row. An undefined `row` stands for any row. */
export function explainRow(
  route: RuledRoute,
  row: SeedValues | null | undefined,
  planning: Planning,
): Explanation {
  const question = questionOf(route, row, planning);
  if (!row || (route.use !== "newRow" && route.use !== "takenRow")) return explain(question);
  return explain({ ...question, world: worldWith(route, row, planning) });
}

/** Explains the outcome for an existing row as a request changes it. */
export function explainWritten(
  route: RuledRoute,
  row: SeedValues,
  planning: Planning,
): Explanation {
  const world = worldWith(route, row, planning);
  return explainChanged({ ...questionOf(route, row, planning), world });
}

function worldWith({ table }: RuledRoute, row: SeedValues, { standing }: Planning) {
  return table === null ? standing.world : standing.worldWith(table, row);
}

function questionOf(
  route: RuledRoute,
  row: SeedValues | null | undefined,
  planning: Planning,
): Parameters<typeof explain>[0] {
  return {
    ...route,
    caller: planning.world.caller,
    namedOrganization: namedOrganization(planning),
    row,
    isAction: route.subject.kind === "action",
    world: planning.standing.world,
  };
}

/** Refusals that depend on the caller alone and come before the rest of the request is read. */
const GATES: readonly RuntimeCode[] = ["AUTH_MISSING", "ACCESS_NO_ORG", "ACCESS_ROLE_REQUIRED"];

export function gateRefusal(route: RuledRoute, planning: Planning): RuntimeCode | null {
  const { refusal } = explainRow(route, undefined, planning);
  return refusal !== null && GATES.includes(refusal) ? refusal : null;
}

/** Returns the rule that decided, in words: that of the failed step, or else the route's own. */
export function becauseOf({ steps }: Explanation, { access }: RuledRoute): Because {
  const step = steps.find(({ passed }) => !passed);
  if (!step) return { text: accessText(access), failed: null, layer: "access" };
  const { layer, rule } = step;
  const differing = step.compared.find(({ holds }) => !holds);
  if (differing === undefined) return { text: rule, failed: null, layer };
  const text = `${rule}; the row has ${JSON.stringify(differing.actual)}`;
  return { text, failed: differing.condition, layer };
}

/** True when the firewall lets the caller see the row. */
export function isVisible(table: TableModel, row: SeedValues, planning: Planning): boolean {
  return hiding(table, row, planning).length === 0;
}

/** True when exactly one member of the firewall hides the row from the caller. */
export function isHiddenByOne(table: TableModel, row: SeedValues, planning: Planning): boolean {
  return hiding(table, row, planning).length === 1;
}

export function hiding(
  table: TableModel,
  row: SeedValues,
  planning: Planning,
): readonly FirewallPredicate[] {
  return hidingPredicates(table, actingCaller(planning), row, planning.standing.world);
}

export function rowsOf(table: TableModel | null, { rows }: Planning): readonly SeedRow[] {
  return table === null ? [] : rows.filter((row) => row.table.name === table.name);
}

/** True for a row in the database that the caller's requests use. */
export function isInReach(row: SeedRow, planning: Planning): boolean {
  const { model, world: { home, foreign } } = planning;
  if (!isPerOrganization(model)) return true;
  const place = organizationOf(row, [home, foreign]);
  return place === null || place === actingCaller(planning).organizationId;
}

/** Returns the rows of a table that no operation uses up. */
export function keptRows(table: TableModel | null, planning: Planning): readonly SeedRow[] {
  return rowsOf(table, planning).filter((row) => !planning.reserved.has(row));
}

/** Value in `reserved` for rows that some rule reaches from a row which will be deleted: their fate is not predicted. */
export const GOES_ALONG = "";

/** Returns rows for a deletion: all that the caller may not delete, and those that are reserved for this route. */
export function deletableRows(route: RuledRoute, planning: Planning): readonly SeedRow[] {
  return rowsOf(route.table, planning).filter((row) => {
    const reservedFor = planning.reserved.get(row);
    return reservedFor === undefined
      ? explainRow(route, row.values, planning).refusal !== null
      : reservedFor === route.operationId;
  });
}

/** Returns an id that no row has during the run. */
export function missingId(table: TableModel, { newId }: Planning): RowId {
  const id = newId(table);
  return typeof id === "number" ? id + FAR : id;
}

const FAR = 1_000_000_000;

export type Query = Readonly<Record<string, string>>;

/** Returns the route's path with its id, and the organization that an anonymous caller names. */
export function addressOf(
  route: Pick<RuledRoute, "path"> & Partial<Pick<RuledRoute, "table" | "subject">>,
  { id, named: values = {}, query = {} }: {
    readonly id?: RowId;
    /** Parameters of the path by name; `:id` and missing ones take the id. */
    readonly named?: Readonly<Record<string, string>>;
    readonly query?: Query;
  },
  planning: Planning,
): string {
  const isTenant = (route.subject?.kind === "action" && !route.subject.operation.action.tenantOf) ||
    (route.table?.scope.organization ?? null) !== null;
  const named = isTenant ? namedOrganization(planning) : null;
  const parameters = new URLSearchParams({
    ...(named === null ? {} : { [SCOPE_PARAMETER]: named }),
    ...query,
  });
  const path = route.path.replace(/:([A-Za-z0-9_]+)/g, (_, name: string) => {
    const isRecord = name === "id" && id !== undefined;
    const value = !isRecord && Object.hasOwn(values, name) ? values[name] : id;
    return encodeURIComponent(String(value ?? "conformance"));
  });
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Makes a question whose answer is not predicted. */
export function ask(
  channel: Channel,
  route: RuledRoute,
  { id, named, query, ...more }:
    & { readonly id?: RowId; readonly named?: Readonly<Record<string, string>> }
    & { readonly query?: Query }
    & Partial<Pick<Question, "method" | "body" | "headers" | "column">>,
  planning: Planning,
): Question {
  const address = {
    ...(id === undefined ? {} : { id }),
    ...(named === undefined ? {} : { named }),
    ...(query === undefined ? {} : { query }),
  };
  return { channel, method: route.method, path: addressOf(route, address, planning), ...more };
}

export interface Attempt {
  readonly purpose: string;
  readonly request: Pick<Question, "method" | "path" | "body">;
  readonly expected: Expectation;
  /** Rule that decides; a text for one that is not the route's. */
  readonly because: Because | string;
  readonly isTrial?: boolean;
  readonly creates?: TableModel;
}

export function probeOf(
  channel: Channel,
  { operationId }: Pick<RuledRoute, "operationId">,
  { creates, because, isTrial = false, request, ...attempt }: Attempt,
  { world }: Planning,
): Probe {
  const decides = typeof because === "string"
    ? { text: because, failed: null, layer: null }
    : because;
  return {
    channel,
    operationId,
    principal: world.name,
    ...request,
    ...attempt,
    because: decides,
    isTrial,
    creates: creates ?? null,
  };
}
