/**
 * Builds a record in SQLite, as JSON text (architecture, Speed). Only values that SQL cannot write exactly come out as cells
 * of their own and are put in place here: reals, and masks that look at the value.
 */
import { rulesOf, type Storage, storageOf } from "../../column_types/mod.ts";
import { maskRecord } from "../../contract/mod.ts";
import { sqlString } from "../../lib/sql_text.ts";
import type { ColumnModel, MaskType, ResourceModel } from "../../model/mod.ts";
import { type RowRule, type Sight, sightOf } from "../../surface/mod.ts";
import { maskValue } from "../layers/7-masking/mask_value.ts";
import type { SqlValue } from "../ports.ts";
import { columnOf } from "./catalog.ts";
import { rowSatisfies } from "./conditions.ts";
import { quotedValue } from "./sql.ts";
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
  /** No number is ever stored in it. */
  readonly isText: boolean;
}

/** Contents of one cell of a row, and the beginning of its member: `"name":`. */
type Part =
  /** An object with some members. */
  | { readonly kind: "object" }
  /** A value. */
  | { readonly kind: "value"; readonly start: string; readonly storage: Storage }
  /** A value to mask. */
  | { readonly kind: "masked"; readonly start: string; readonly type: MaskType }
  /** `1` when the row is the caller's and `0` when it is not, and behind it the value, quoted. */
  | {
    readonly kind: "ownerOnly";
    readonly start: string;
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
  /** Members whose JSON is what is stored: a text, or null. */
  readonly texts: ReadonlySet<string>;
}

/** SQLite takes 127 arguments to a function; a member is two. */
const MEMBERS_PER_OBJECT = 60;

/** Plans the select list for these members, in their order. */
export function recordPlan(members: readonly Member[]): RecordPlan {
  const parts: Part[] = [];
  const cells: Cell[] = [];
  const texts = new Set<string>();
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
      const own = ownCell(member);
      parts.push(own.part);
      cells.push(own.cell);
      continue;
    }
    if (member.isText && inObject === member.cell) texts.add(member.key);
    run.push(`${sqlString(member.key)},${inObject}`);
    if (run.length === MEMBERS_PER_OBJECT) closeRun();
  }
  closeRun();
  const userIds = parts.filter((part) => part.kind === "ownerOnly").length;
  return { select: cells.map(({ sql }) => sql).join(", "), cells, parts, userIds, texts };
}

/** The member's value as an argument of `json_object`; null when SQL cannot say it exactly. */
function jsonCell({ cell, column, sight }: Member): string | null {
  const hidden = sight.kind === "masked" ? maskRecord(sight.type).hides : null;
  if (hidden !== null) return `CASE WHEN ${cell} IS NULL THEN NULL ELSE ${sqlString(hidden)} END`;
  if (sight.kind !== "plain") return null;
  return storageOf(column.type).jsonSql(cell);
}

function ownCell(
  { key, cell, column, sight, owner }: Member,
): { readonly part: Part; readonly cell: Cell } {
  const storage = storageOf(column.type);
  const start = `${JSON.stringify(key)}:`;
  switch (sight.kind) {
    case "plain":
      return { part: { kind: "value", start, storage }, cell: cellOf(column, cell) };
    case "masked":
      return { part: { kind: "masked", start, type: sight.type }, cell: cellOf(column, cell) };
    case "ownerOnly": {
      const sql = `(${owner} IS ?) || quote(${cell})`;
      return {
        part: { kind: "ownerOnly", start, type: sight.type, storage },
        cell: { form: "text", sql },
      };
    }
  }
}

/** A column's value as a cell. An id may be a number that the database counts. */
export function cellOf({ type }: ColumnModel, sql: string): Cell {
  const { holdsIds, isText } = rulesOf(type);
  const isAlwaysText = storageOf(type).sql === "text" && (isText || !holdsIds);
  return { form: isAlwaysText ? "text" : "number", sql };
}

/** The record of one row of the plan's select list, as JSON text. */
export function recordText({ parts }: RecordPlan, row: readonly SqlValue[]): string {
  if (parts.length === 1 && parts[0]?.kind === "object") return textCell(row, 0);
  let text = "";
  for (const [at, part] of parts.entries()) {
    text += `${at === 0 ? "{" : ","}${pieceOf(part, row, at)}`;
  }
  return `${text}}`;
}

function pieceOf(part: Part, row: readonly SqlValue[], at: number): string {
  switch (part.kind) {
    case "object":
      return textCell(row, at).slice(1, -1);
    case "value":
      return part.start + jsonTextOf(part.storage, cellAt(row, at));
    case "masked":
      return part.start + maskedText(part.type, cellAt(row, at));
    case "ownerOnly": {
      const cell = textCell(row, at);
      const value = quotedValue(cell.slice(1));
      return part.start +
        (cell.startsWith("1") ? jsonTextOf(part.storage, value) : maskedText(part.type, value));
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
  firewall: Firewall,
): string {
  const owner = row.get(firewall.table.ownerColumn) ?? null;
  return memberText(row, name, { resource, firewall, owner });
}

/** One value of a row as JSON text; `owner` is whose the row is for its masks, null: nobody's. */
export function memberText(
  row: StoredRow,
  name: string,
  { resource, firewall: { table, principal }, owner }: {
    readonly resource: ResourceModel;
    readonly firewall: Firewall;
    readonly owner: SqlValue;
  },
): string {
  const value = row.get(name);
  if (value === undefined) throw new Error(`The stored row has no column '${name}'`);
  const sight = sightOf(resource, name, principal);
  const isOwn = principal.userId !== null && owner === principal.userId;
  if (sight.kind === "plain" || (sight.kind === "ownerOnly" && isOwn)) {
    return jsonTextOf(storageOf(columnOf(table, name).type), value);
  }
  return maskedText(sight.type, value);
}
