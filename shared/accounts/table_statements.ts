/** Statements on the library's tables. */
import type { CleanedWhere } from "better-auth/adapters";
import { sqlIdentifier } from "../lib/sql_text.ts";
import type { SqlTable } from "../model/mod.ts";
import type { SqlValue, Statement } from "../runtime/ports.ts";

export type Values = Readonly<Record<string, unknown>>;

export type Where = Parameters<typeof whereClause>[1];

/** Joins two clauses, either of which may be empty. */
export function bothOf(one: Clause, other: Clause): Clause {
  const sql = [one.sql, other.sql].filter((sql) => sql !== "").join(", ");
  return { sql, args: [...one.args, ...other.args] };
}

export function insertion(table: AuthTable, data: Values): Statement {
  const fields = Object.keys(data);
  const columns = fields.map((field) => columnOf(table, field)).join(", ");
  const places = fields.map(() => "?").join(", ");
  return {
    sql: `INSERT INTO ${table.name} (${columns}) VALUES (${places}) RETURNING ${selectList(table)}`,
    args: fields.map((field) => sqlValue(data[field])),
  };
}

export function selection(
  table: AuthTable,
  { where, sortBy, limit, offset = 0 }: {
    readonly where?: Where;
    readonly sortBy?: { readonly field: string; readonly direction: "asc" | "desc" } | undefined;
    readonly limit: number;
    readonly offset?: number | undefined;
  },
): Statement {
  const clause = whereClause(table, where);
  const order = sortBy
    ? ` ORDER BY ${columnOf(table, sortBy.field)} ${sortBy.direction === "desc" ? "DESC" : "ASC"}`
    : "";
  const sql = `SELECT ${selectList(table)} FROM ${table.name}${clause.sql}${order}`;
  return { sql: `${sql} LIMIT ? OFFSET ?`, args: [...clause.args, limit, offset] };
}

export function counting(table: AuthTable, where: Where): Statement {
  const clause = whereClause(table, where);
  return { sql: `SELECT count(*) FROM ${table.name}${clause.sql}`, args: clause.args };
}

export function updateAll(table: AuthTable, where: Where, update: Values): Statement {
  const set = assignments(table, update);
  const clause = whereClause(table, where);
  const sql = `UPDATE ${table.name} SET ${set.sql}${clause.sql}`;
  return { sql, args: [...set.args, ...clause.args] };
}

export function updateOne(
  table: AuthTable,
  where: Where,
  set: Statement,
): Statement {
  const one = oneOf(table, where);
  // The library expects the row even if nothing is updated.
  const assigned = set.sql === "" ? `"id" = "id"` : set.sql;
  const sql = `UPDATE ${table.name} SET ${assigned} WHERE ${one.sql} RETURNING ${
    selectList(table)
  }`;
  return { sql, args: [...set.args, ...one.args] };
}

export function deletion(table: AuthTable, where: Where): Statement {
  const clause = whereClause(table, where);
  if (clause.sql === "") throw new Error(`Nothing says which rows of ${table.name} to delete`);
  return { sql: `DELETE FROM ${table.name}${clause.sql}`, args: clause.args };
}

/** Returns the condition that selects at most one of the rows. */
export function oneOf(table: AuthTable, where: Where): Statement {
  const clause = whereClause(table, where);
  if (clause.sql === "") throw new Error(`Nothing says which row of ${table.name} is meant`);
  const sql = `"id" IN (SELECT "id" FROM ${table.name}${clause.sql} LIMIT 1)`;
  return { sql, args: clause.args };
}

export function assignments(table: AuthTable, values: Values): Statement {
  const fields = Object.keys(values);
  // The library prolongs sessions in use, also those of impersonators, which must not be prolonged.
  const kept = (field: string) => table.name === SESSIONS && field === "expiresAt";
  return {
    sql: fields.map((field) => {
      const column = columnOf(table, field);
      return kept(field)
        ? `${column} = CASE WHEN "impersonated_by" IS NULL THEN ? ELSE ${column} END`
        : `${column} = ?`;
    }).join(", "),
    args: fields.map((field) => sqlValue(values[field])),
  };
}

export function increments(table: AuthTable, deltas: Readonly<Record<string, number>>): Statement {
  const columns = Object.keys(deltas).map((field) => columnOf(table, field));
  return {
    sql: columns.map((column) => `${column} = ${column} + ?`).join(", "),
    args: Object.values(deltas),
  };
}

export const SESSIONS = sqlIdentifier("auth_session");

export function valuesOf(value: unknown): Values {
  if (typeof value !== "object" || value === null) throw new Error("An update needs an object");
  return Object.fromEntries(Object.entries(value));
}

interface Clause {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

type Operator = NonNullable<CleanedWhere["operator"]>;

/** Returns `WHERE …`, or nothing: all AND conditions, and one of the OR conditions if there are any. */
export function whereClause(table: AuthTable, where: readonly CleanedWhere[] = []): Clause {
  const clauses = where.map((condition) => ({
    connector: condition.connector ?? "AND",
    ...conditionClause(table, condition),
  }));
  const all = clauses.filter(({ connector }) => connector === "AND");
  const any = clauses.filter(({ connector }) => connector === "OR");
  const parts = [...all.map(({ sql }) => sql)];
  if (any.length > 0) parts.push(`(${any.map(({ sql }) => sql).join(" OR ")})`);
  return {
    sql: parts.length === 0 ? "" : ` WHERE ${parts.join(" AND ")}`,
    args: [...all, ...any].flatMap(({ args }) => args),
  };
}

/** Converts a value to what SQLite stores. */
function sqlValue(value: unknown): SqlValue {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string" || typeof value === "number") return value;
  throw new Error(`Accounts cannot store a value of type ${typeof value}`);
}

function conditionClause(table: AuthTable, condition: CleanedWhere): Clause {
  const { field, operator = "eq", value, mode } = condition;
  const folds = mode === "insensitive";
  const column = folds ? `lower(${columnOf(table, field)})` : columnOf(table, field);
  const bound = folds ? "lower(?)" : "?";
  if (operator === "in" || operator === "not_in") {
    if (!Array.isArray(value)) throw new Error("A list condition needs a list");
    const list = value.map(() => bound).join(", ");
    return {
      sql: `${column} ${operator === "not_in" ? "NOT IN" : "IN"} (${list})`,
      args: value.map(sqlValue),
    };
  }
  if (value === null) return { sql: nullTest(column, operator), args: [] };
  return comparison(column, bound, operator, sqlValue(value));
}

function nullTest(column: string, operator: Operator): string {
  if (operator === "eq") return `${column} IS NULL`;
  if (operator === "ne") return `${column} IS NOT NULL`;
  throw new Error(`Accounts cannot compare null with "${operator}"`);
}

const COMPARISONS = { eq: "=", ne: "<>", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

function comparison(
  column: string,
  bound: string,
  operator: Exclude<Operator, "in" | "not_in">,
  value: SqlValue,
): Clause {
  switch (operator) {
    case "contains":
      return { sql: `instr(${column}, ${bound}) > 0`, args: [value] };
    case "starts_with":
      return { sql: `instr(${column}, ${bound}) = 1`, args: [value] };
    case "ends_with":
      return {
        sql: `substr(${column}, length(${column}) - length(?) + 1) = ${bound}`,
        args: [value, value],
      };
    default:
      return { sql: `${column} ${COMPARISONS[operator]} ${bound}`, args: [value] };
  }
}

export interface AuthTable {
  readonly sqlName: string;
  /** Quoted name. */
  readonly name: string;
  /** Quoted columns by field, in table order. */
  readonly columns: ReadonlyMap<string, string>;
}

export type AuthTables = ReadonlyMap<string, AuthTable>;

export function tablesByName(tables: readonly SqlTable[]): AuthTables {
  return new Map(
    tables.map((table) => [table.name, {
      sqlName: table.name,
      name: sqlIdentifier(table.name),
      columns: new Map(
        table.columns.map(({ name }) => [
          name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
          sqlIdentifier(name),
        ]),
      ),
    }]),
  );
}

/**
 * Returns the table of a better-auth model: `user` is in `auth_user`, its field `emailVerified` in `email_verified`. Throws for
 * a name that the project's tables lack, so that no other text becomes SQL.
 */
export function tableOfModel(model: string, tables: AuthTables): AuthTable {
  const table = tables.get(`auth_${columnName(model)}`);
  if (!table) throw new Error(`Accounts have no table for the model "${model}"`);
  return table;
}

/** Returns the quoted column of a field. Throws for an unknown one. */
function columnOf(table: AuthTable, field: string): string {
  const column = table.columns.get(field);
  if (column === undefined) throw new Error(`${table.name} has no column for "${field}"`);
  return column;
}

/** Returns the quoted columns of all fields as a select list. */
export function selectList(table: AuthTable): string {
  return [...table.columns.values()].join(", ");
}

/** Converts `emailVerified` to `email_verified`. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
