/**
 * Builds a record in SQLite, as JSON text (architecture, Speed). Only values that SQL cannot write exactly come out as cells
 * of their own and are put in place here: reals, and masks that look at the value.
 */
import { rulesOf, type Storage, storageOf } from "../../column_types/mod.ts";
import { maskRecord } from "../../contract/masks.ts";
import { sqlString } from "../../lib/sql_text.ts";
import type { ColumnModel, MaskType, ResourceModel } from "../../model/mod.ts";
import type { RowRule } from "../../surface/admission.ts";
import { type Sight, sightOf } from "../../surface/column_sight.ts";
import { maskValue } from "../layers/7-masking/mask_value.ts";
import type { SqlValue } from "../ports.ts";
import { columnOf } from "./catalog.ts";
import { rowSatisfies } from "./conditions.ts";
import type { Firewall, StoredRow } from "./types.ts";

/** One member of a record: a column, or the label of a foreign key. */
export interface Member {
  readonly key: string;
  readonly column: ColumnModel;
  /** SQL of its value. */
  readonly cell: string;
  readonly sight: Sight;
  /** SQL of its row's owner. */
  readonly owner: string;
}

type Part =
  /** One cell: an object with some members. */
  | { readonly kind: "object" }
  /** One cell: a value. */
  | { readonly kind: "value"; readonly key: string; readonly storage: Storage }
  /** One cell: a value to mask. */
  | { readonly kind: "masked"; readonly key: string; readonly type: MaskType }
  /** Two cells: 1 when the row is the caller's, and the value. */
  | {
    readonly kind: "ownerOnly";
    readonly key: string;
    readonly type: MaskType;
    readonly storage: Storage;
  };

/** A cell of a row. `object`: JSON text of our own. `text`: any text. `number`: of a column that may hold none. */
interface Cell {
  readonly form: "object" | "text" | "number";
  readonly sql: string;
}

export interface RecordPlan {
  /** The select list; it binds the caller's user id once for every `ownerOnly` part. */
  readonly select: string;
  readonly cells: readonly Cell[];
  readonly parts: readonly Part[];
  readonly userIds: number;
}

/** SQLite takes 127 arguments to a function; a member is two. */
const MEMBERS_PER_OBJECT = 60;

/** Plans the select list for these members, in their order. */
export function recordPlan(members: readonly Member[]): RecordPlan {
  const parts: Part[] = [];
  const cells: Cell[] = [];
  let run: string[] = [];
  const closeRun = () => {
    if (run.length === 0) return;
    parts.push({ kind: "object" });
    cells.push({ form: "object", sql: `json_object(${run.join(",")})` });
    run = [];
  };
  for (const member of members) {
    const inObject = jsonCell(member);
    if (inObject === null) {
      closeRun();
      const own = ownCells(member);
      parts.push(own.part);
      cells.push(...own.cells);
      continue;
    }
    run.push(`${sqlString(member.key)},${inObject}`);
    if (run.length === MEMBERS_PER_OBJECT) closeRun();
  }
  closeRun();
  const userIds = parts.filter((part) => part.kind === "ownerOnly").length;
  return { select: cells.map(({ sql }) => sql).join(", "), cells, parts, userIds };
}

/** The member's value as an argument of `json_object`; null when SQL cannot say it exactly. */
function jsonCell({ cell, column, sight }: Member): string | null {
  const hidden = sight.kind === "masked" ? maskRecord(sight.type).hides : null;
  if (hidden !== null) return `CASE WHEN ${cell} IS NULL THEN NULL ELSE ${sqlString(hidden)} END`;
  if (sight.kind !== "plain") return null;
  return storageOf(column.type).jsonSql(cell);
}

function ownCells(
  { key, cell, column, sight, owner }: Member,
): { readonly part: Part; readonly cells: readonly Cell[] } {
  const storage = storageOf(column.type);
  const value = cellOf(column, cell);
  switch (sight.kind) {
    case "plain":
      return { part: { kind: "value", key, storage }, cells: [value] };
    case "masked":
      return { part: { kind: "masked", key, type: sight.type }, cells: [value] };
    case "ownerOnly":
      return {
        part: { kind: "ownerOnly", key, type: sight.type, storage },
        cells: [{ form: "number", sql: `${owner} IS ?` }, value],
      };
  }
}

/** A column's value as a cell. An id may be a number that the database counts. */
export function cellOf({ type }: ColumnModel, sql: string): Cell {
  const { holdsIds, isText } = rulesOf(type);
  const isAlwaysText = storageOf(type).sql === "text" && (isText || !holdsIds);
  return { form: isAlwaysText ? "text" : "number", sql };
}

/** The record of one row of the plan's select list, as JSON text. */
export function recordText(plan: RecordPlan, row: readonly SqlValue[]): string {
  if (plan.parts.length === 1 && plan.parts[0]?.kind === "object") return textCell(row, 0);
  const pieces: string[] = [];
  let at = 0;
  for (const part of plan.parts) {
    pieces.push(pieceOf(part, row, at));
    at += part.kind === "ownerOnly" ? 2 : 1;
  }
  return `{${pieces.join(",")}}`;
}

function pieceOf(part: Part, row: readonly SqlValue[], at: number): string {
  switch (part.kind) {
    case "object":
      return textCell(row, at).slice(1, -1);
    case "value":
      return `${JSON.stringify(part.key)}:${jsonTextOf(part.storage, cellAt(row, at))}`;
    case "masked":
      return `${JSON.stringify(part.key)}:${maskedText(part.type, cellAt(row, at))}`;
    case "ownerOnly": {
      const value = cellAt(row, at + 1);
      const shown = cellAt(row, at) === 1
        ? jsonTextOf(part.storage, value)
        : maskedText(part.type, value);
      return `${JSON.stringify(part.key)}:${shown}`;
    }
  }
}

/** The mask of a stored value, as JSON text. */
export function maskedText(type: MaskType, value: SqlValue): string {
  return value === null ? "null" : JSON.stringify(maskValue(type, String(value)));
}

function textCell(row: readonly SqlValue[], at: number): string {
  const cell = cellAt(row, at);
  if (typeof cell !== "string") throw new TypeError("A record did not come back as text");
  return cell;
}

function cellAt(row: readonly SqlValue[], at: number): SqlValue {
  const cell = row[at];
  if (cell === undefined) throw new Error("A row has fewer cells than its plan");
  return cell;
}

/** Stored values as JSON text. A stored value as JSON text, integers in full. */
export function jsonTextOf(storage: Storage, value: SqlValue): string {
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "string":
    case "number":
      return storage.jsonText(value);
    default:
      if (value === null) return "null";
      throw new TypeError("No column holds bytes");
  }
}

/**
 * A stored row as a record for one reader, with the masks of reads: the same as `projection.ts` says in SQL, without
 * labels. True when a read of the row by the firewall's caller would find it.
 */
export function isVisible(row: StoredRow, rule: RowRule | null, firewall: Firewall): boolean {
  const behind = { kind: "conditions", conditions: firewall.predicates } as const;
  return rowSatisfies(behind, row, firewall) &&
    (rule === null || rowSatisfies(rule, row, firewall));
}

/** The record as JSON text. */
export function recordOfRow(
  row: StoredRow,
  { resource, columns, firewall }: {
    readonly resource: ResourceModel;
    readonly columns: readonly string[];
    readonly firewall: Firewall;
  },
): string {
  const members = columns.map((name) =>
    `${JSON.stringify(name)}:${valueText(row, name, resource, firewall)}`
  );
  return `{${members.join(",")}}`;
}

function valueText(
  row: StoredRow,
  name: string,
  resource: ResourceModel,
  { table, principal }: Firewall,
): string {
  const value = row.get(name);
  if (value === undefined) throw new Error(`The stored row has no column '${name}'`);
  const sight = sightOf(resource, name, principal);
  if (
    sight.kind === "plain" ||
    (sight.kind === "ownerOnly" && principal.userId !== null &&
      row.get(table.ownerColumn) === principal.userId)
  ) {
    return jsonTextOf(storageOf(columnOf(table, name).type), value);
  }
  return maskedText(sight.type, value);
}
