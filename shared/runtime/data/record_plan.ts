/**
 * Builds a record in SQLite as JSON text (architecture, Speed). Only values that SQL cannot write exactly are separate cells,
 * which are inserted here: reals, and masks that depend on the value.
 */
import { columnNamed, type Sight, sightOf } from "../../surface/mod.ts";
import { fitsSql, rulesOf, type Storage, storageOf } from "../../column_types/mod.ts";
import { maskRecord } from "../../contract/mod.ts";
import { sqlString } from "../../lib/sql_text.ts";
import type { ColumnModel, MaskType, ResourceModel } from "../../model/mod.ts";
import { maskValue } from "../layers/7-masking/mask_value.ts";
import { type SqlValue, StoredMisfitError } from "../ports.ts";
import { type Fragment, quotedValue } from "./sql.ts";
import type { Firewall, StoredRow } from "./types.ts";

/** One member of a record: a column, or the label of a foreign key. */
export interface Member {
  readonly key: string;
  readonly column: ColumnModel;
  /** SQL name of the member's table. */
  readonly table: string;
  /** SQL of its value. */
  readonly cell: string;
  readonly sight: Sight;
  /** SQL of the owner of the member's row. */
  readonly owner: string;
  /** SQL for the rows on which the mask shows the value; null: the mask does not depend on the row. */
  readonly shown: Fragment | null;
  /** True when the column never stores a number. */
  readonly isText: boolean;
  /** `FROM` and `WHERE` of the one row of another table that it is read from; null: the statement's own `FROM` has it. */
  readonly source: Fragment | null;
}

/** Content of a cell, and the beginning of its member: `"name":`. */
type Part =
  /** An object with some members. */
  | { readonly kind: "object" }
  /** A value. */
  | { readonly kind: "value"; readonly start: string; readonly storage: Storage }
  /** A value to mask. */
  | { readonly kind: "masked"; readonly start: string; readonly type: MaskType }
  /** `1` if the row shows the value to the caller, else `0`, followed by the quoted value. */
  | {
    readonly kind: "ownerOnly";
    readonly start: string;
    readonly type: MaskType;
    readonly storage: Storage;
  };

/** A cell of a row. `object`: JSON text made here. `text`: any text. `number`: a column that may hold no number. */
interface Cell {
  readonly form: "object" | "text" | "number";
  readonly sql: string;
}

export interface RecordPlan {
  /** The select list. It binds the arguments of `selectArgsOf`. */
  readonly select: string;
  readonly cells: readonly Cell[];
  readonly parts: readonly Part[];
  /** Members whose JSON is stored as it is: a text, or null. */
  readonly texts: ReadonlySet<string>;
  /** The column that each member shows, in SQL names. */
  readonly columns: ReadonlyMap<string, StoredMisfitError["subject"]>;
}

/** The part of a projection that is equal for all callers with the same masks and labels. */
export interface ProjectionShape {
  /** Identifies the shape within the project. */
  readonly key: string;
  readonly plan: RecordPlan;
  /** `LEFT JOIN`s of the labels. None adds or removes a row. */
  readonly joins: string;
}

/** Most members of one call. SQLite takes 127 arguments, two for each member. */
const MEMBERS_PER_OBJECT = 60;

/** Plans the select list for these members in their order. */
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
    const value = fittingSql(member, inObject);
    if (member.source !== null && inObject !== member.cell && member.sight.kind === "plain") {
      closeRun();
      parts.push({ kind: "object" });
      cells.push({ form: "object", sql: lookedUpObject(member, value) });
      continue;
    }
    if (member.isText && inObject === member.cell) texts.add(member.key);
    run.push(`${sqlString(member.key)},${lookedUp(member, value)}`);
    if (run.length === MEMBERS_PER_OBJECT) closeRun();
  }
  closeRun();
  const columns = new Map(
    members.map(({ key, table, column }) => [key, { table, column: column.sqlName }]),
  );
  return { select: cells.map(({ sql }) => sql).join(", "), cells, parts, texts, columns };
}

/** Returns the values that the cells bind, for masks that depend on the row. */
export function selectArgsOf(
  members: readonly Member[],
  userId: string | null,
): readonly SqlValue[] {
  return members.flatMap(({ sight, shown, source }) => [
    ...(sight.kind === "ownerOnly" ? [userId] : shown?.args ?? []),
    ...(source?.args ?? []),
  ]);
}

/** The value where the member's row is, and null where there is none. */
function lookedUp({ source }: Pick<Member, "source">, value: string): string {
  return source === null ? value : `(SELECT ${value} ${source.sql})`;
}

/** A subquery hands over JSON as a text like any other, so that the member is made within it. */
function lookedUpObject(member: Member, value: string): string {
  const name = sqlString(member.key);
  const found = lookedUp(member, `json_object(${name},${value})`);
  return `coalesce(${found}, json_object(${name},NULL))`;
}

/** Returns the member's value as an argument of `json_object`; null if SQL cannot express it exactly. */
function jsonCell({ cell, column, sight }: Member): string | null {
  const hidden = sight.kind === "masked" ? maskRecord(sight.type).hides : null;
  if (hidden !== null) return `CASE WHEN ${cell} IS NULL THEN NULL ELSE ${sqlString(hidden)} END`;
  if (sight.kind !== "plain") return null;
  return storageOf(column.type).jsonSql(cell);
}

/** Placeholder for a value that does not belong to its column's type: Infinity, which our JSON never contains. */
const MISFIT = "9e999";
/** A text as SQLite writes it, with a backslash before quotes. */
const MISFIT_FOUND = /[^\\]":9(?:\.0)?e\+?999/;
const MISFIT_HINT = "e+999";

function fittingSql({ cell, column, sight }: Member, json: string): string {
  const fits = sight.kind === "plain" ? fitsSql(column.type, cell) : null;
  return fits === null
    ? json
    : `CASE WHEN ${fits} THEN ${json} WHEN ${cell} IS NOT NULL THEN ${MISFIT} END`;
}

function ownCell(member: Member): { readonly part: Part; readonly cell: Cell } {
  const { key, cell, column, sight, owner, shown } = member;
  const storage = storageOf(column.type);
  const start = `${JSON.stringify(key)}:`;
  switch (sight.kind) {
    case "plain":
      return {
        part: { kind: "value", start, storage },
        cell: cellOf(column, lookedUp(member, cell)),
      };
    case "masked":
      return {
        part: { kind: "masked", start, type: sight.type },
        cell: cellOf(column, lookedUp(member, cell)),
      };
    case "ownerOnly":
    case "byRow": {
      const isShown = sight.kind === "ownerOnly"
        ? `(${owner} IS ?)`
        : `coalesce(${shown?.sql ?? "0"}, 0)`;
      const value = lookedUp(member, `${isShown} || quote(${cell})`);
      const sql = member.source === null ? value : `coalesce(${value}, '0NULL')`;
      return {
        part: { kind: "ownerOnly", start, type: sight.type, storage },
        cell: { form: "text", sql },
      };
    }
  }
}

/** Makes the cell of a column. An id may be a number that the database counts. */
export function cellOf({ type }: ColumnModel, sql: string): Cell {
  const { holdsIds, isText } = rulesOf(type);
  const isAlwaysText = storageOf(type).sql === "text" && (isText || !holdsIds);
  return { form: isAlwaysText ? "text" : "number", sql };
}

/** Returns the record of one row as JSON text. */
export function recordText(plan: RecordPlan, row: readonly SqlValue[]): string {
  const { parts } = plan;
  let text = "";
  if (parts.length === 1 && parts[0]?.kind === "object") {
    text = textCell(row, 0);
  } else {
    for (const [at, part] of parts.entries()) {
      text += `${at === 0 ? "{" : ","}${pieceOf(part, row, at)}`;
    }
    text += "}";
  }
  if (text.includes(MISFIT_HINT) && MISFIT_FOUND.test(text)) refuseMisfit(plan, text);
  return text;
}

function refuseMisfit({ columns }: RecordPlan, text: string): never {
  const members: Readonly<Record<string, unknown>> = JSON.parse(text);
  for (const [key, subject] of columns) {
    if (members[key] === Infinity) throw new StoredMisfitError(subject, idIn(members));
  }
  // The text is within a JSON column that no request has written.
  const [subject = { table: "", column: "" }] = columns.values();
  throw new StoredMisfitError(subject, idIn(members));
}

function idIn({ id }: Readonly<Record<string, unknown>>): string | null {
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}

function pieceOf(part: Part, row: readonly SqlValue[], at: number): string {
  switch (part.kind) {
    case "object":
      return textCell(row, at).slice(1, -1);
    case "value": {
      const value = cellAt(row, at);
      return part.start +
        (isOfStorage(part.storage, value) ? jsonTextOf(part.storage, value) : MISFIT_TEXT);
    }
    case "masked":
      return part.start + maskedText(part.type, cellAt(row, at));
    case "ownerOnly": {
      const cell = textCell(row, at);
      const value = quotedValue(cell.slice(1));
      if (!cell.startsWith("1")) return part.start + maskedText(part.type, value);
      return part.start +
        (isOfStorage(part.storage, value) ? jsonTextOf(part.storage, value) : MISFIT_TEXT);
    }
  }
}

/** A number as SQLite writes it. */
const MISFIT_TEXT = "9.0e+999";

/** True for a value of the class that the column's type is stored in. */
function isOfStorage({ sql, declared }: Storage, value: SqlValue): boolean {
  if (value === null || declared !== null) return true;
  if (sql === "text") return typeof value === "string" || typeof value === "number";
  if (typeof value === "bigint") return true;
  return typeof value === "number" &&
    (sql === "real" ? Number.isFinite(value) : Number.isInteger(value));
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

/** Formats a stored value as JSON text, with complete integers. */
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

/** Formats a stored row as a record for one reader, with the masks of `projection.ts` and without labels. */
export function recordOfRow(
  row: StoredRow,
  { resource, columns, firewall, shown }: {
    readonly resource: ResourceModel;
    readonly columns: readonly string[];
    readonly firewall: Firewall;
    readonly shown?: ReadonlySet<string> | undefined;
  },
): string {
  const owner = row.get(firewall.table.ownerColumn) ?? null;
  const masking = { resource, firewall, owner, ...(shown ? { shown } : {}) };
  const members = columns.map((name) =>
    `${JSON.stringify(name)}:${memberText(row, name, masking)}`
  );
  return `{${members.join(",")}}`;
}

const NONE_SHOWN: ReadonlySet<string> = new Set();

/**
 * Formats one value of a row. `owner` is the row's owner for masks; null: none. `shown` are columns that the row shows plain.
 */
export function memberText(
  row: StoredRow,
  name: string,
  { resource, firewall: { table, principal }, owner, shown = NONE_SHOWN }: {
    readonly resource: ResourceModel;
    readonly firewall: Firewall;
    readonly owner: SqlValue;
    readonly shown?: ReadonlySet<string>;
  },
): string {
  const value = row.get(name);
  if (value === undefined) throw new Error(`The stored row has no column '${name}'`);
  const sight = sightOf(resource, name, principal);
  const isOwn = principal.userId !== null && owner === principal.userId;
  const isShown = sight.kind === "byRow" && shown.has(name);
  if (sight.kind === "plain" || isShown || (sight.kind === "ownerOnly" && isOwn)) {
    return jsonTextOf(storageOf(columnNamed(name, table).type), value);
  }
  return maskedText(sight.type, value);
}
