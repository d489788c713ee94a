/** Compares a column that stays: the conversion of its values, the checks of rows before it, and notices for the author. */
import { typeName } from "../../column_types/convert_type.ts";
import { type TypeChange, typeChange } from "../../column_types/narrow_type.ts";
import type { ColumnType } from "../../column_types/mod.ts";
import { sqlIdentifier } from "../../lib/sql_text.ts";
import type { RowCheck, SqlColumn, SqlTable } from "../../model/mod.ts";
import type * as schema from "./schema_change.ts";

/** The column before and after, both under the current name. */
export interface ColumnPair {
  readonly before: SqlColumn;
  readonly after: SqlColumn;
}

interface KeptColumn {
  readonly copy: schema.Copy;
  /** True if SQLite cannot change the column in its table. */
  readonly isRebuilt: boolean;
  readonly check: RowCheck | null;
  readonly problems: readonly schema.SchemaProblem[];
  readonly losses: readonly schema.SchemaLoss[];
  readonly notices: readonly schema.SchemaNotice[];
}

export function keptColumn(
  pair: ColumnPair,
  table: SqlTable,
  hints: schema.SchemaHints,
): KeptColumn {
  const { before, after } = pair;
  const cell = sqlIdentifier(after.name);
  const types = typesOf(pair);
  const isLossy = hints.allowDestructive;
  const isAccepted = hints.accepted?.get(table.name)?.has(after.name) ?? false;
  const change = types && typeChange(types.from, types.to, { isAccepted, isLossy });
  const isRequired = after.notNull && !before.notNull && after.default === null;
  const value = change ? change.conversion.sql?.(cell) ?? cell : types ? "NULL" : cell;
  // A column whose values are dropped starts with its default.
  const isDropped = types !== null && change === null;
  const fact = {
    table: table.name,
    column: after.name,
    from: types ? typeName(types.from) : before.type,
    to: types ? typeName(types.to) : after.type,
  };
  return {
    copy: {
      column: after,
      value,
      fillNulls: after.notNull && after.default !== null && (isDropped || !before.notNull),
    },
    isRebuilt: isDropped || value !== cell || !isSame(bare(before), bare(after)),
    check: checkOf(change, { types, isLossy, isRequired, table, column: after.name, hints }),
    problems: isDropped && !(isLossy && (!after.notNull || after.default !== null))
      ? [{ kind: "typeChanged", ...fact }]
      : [],
    losses: isDropped
      ? [{ kind: "valuesDropped", ...fact }]
      : change?.isCutting
      ? [{ kind: "valuesCut", ...fact }]
      : [],
    notices: [
      ...noticesOf(change, fact, isRequired),
      ...(after.made?.kind === "userId" && before.default === LITERAL_USER
        ? [{ kind: "literalMade", ...fact, limits: [], isAcceptable: true } as const]
        : []),
    ],
  };
}

/** The default as earlier versions stored it, when it did not yet refer to the caller. */
const LITERAL_USER = "'$ctx.userId'";

interface Types {
  readonly from: ColumnType;
  readonly to: ColumnType;
}

/**
 * Returns both types; null if both are unknown and stored alike. A snapshot without types records only how values are stored.
 */
function typesOf({ before, after }: ColumnPair): Types | null {
  if (before.of && after.of) return { from: before.of, to: after.of };
  const isJsonAlike = before.json === undefined || after.json === undefined ||
    before.json === after.json;
  const isStoredAlike = before.type === after.type && isJsonAlike &&
    isSame(before.decimal ?? null, after.decimal ?? null);
  return isStoredAlike ? null : { from: storedType(before), to: after.of ?? storedType(after) };
}

/** Returns the simplest type with this storage. */
function storedType({ type, json, decimal }: SqlColumn): ColumnType {
  if (decimal) return { kind: "decimal", ...decimal };
  if (json) return { kind: "json" };
  if (type === "integer") return { kind: "int" };
  if (type === "real") return { kind: "real" };
  return { kind: "text", maxLength: null, enum: null };
}

function checkOf(
  change: TypeChange | null,
  { types, isLossy, isRequired, table, column, hints }: {
    readonly types: Types | null;
    readonly isLossy: boolean;
    readonly isRequired: boolean;
    readonly table: SqlTable;
    readonly column: string;
    readonly hints: schema.SchemaHints;
  },
): RowCheck | null {
  const key = table.columns.find(({ primaryKey }) => primaryKey)?.name;
  const isJudged = change?.needsCheck ?? false;
  if (key === undefined || (!isJudged && !isRequired)) return null;
  return {
    table: table.name,
    key,
    column,
    isRequired,
    isMasked: hints.masked?.get(table.name)?.has(column) ?? false,
    types: isJudged && types && change ? { from: types.from, to: change.required, isLossy } : null,
  };
}

function noticesOf(
  change: TypeChange | null,
  named: Pick<schema.SchemaNotice, "table" | "column" | "from" | "to">,
  isRequired: boolean,
): readonly schema.SchemaNotice[] {
  const limits = [...change?.narrowings ?? [], ...(isRequired ? ["required"] : [])];
  const fact = { ...named, limits, isAcceptable: !isRequired && (change?.isAcceptable ?? true) };
  return [
    ...(change?.isConverted ? [{ kind: "converted", ...fact } as const] : []),
    ...(limits.length > 0 ? [{ kind: "narrowed", ...fact } as const] : []),
  ];
}

/** Returns the part of a column that SQLite stores. */
function bare({ json: _json, decimal: _decimal, of: _of, made: _made, ...column }: SqlColumn) {
  return column;
}

/** True for equal values. Values of one type are built with their keys in one order. */
function isSame<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
