/** better-auth's storage over the `Database` port. */
import { type CleanedWhere, createAdapterFactory, type CustomAdapter } from "better-auth/adapters";
import type { BetterAuthOptions } from "better-auth/types";
import { sqlIdentifier } from "../lib/sql_text.ts";
import type { SqlTable } from "../model/mod.ts";
import type { Database, ResultSet, SqlValue, Statement } from "../runtime/ports.ts";
import type { LibraryWrites } from "./credentials/library_writes.ts";
import { keepingOwners } from "./last_owner.ts";
import { type Access, directAccess, inTransaction } from "./lazy_transaction.ts";
import { type RoleOf, rolesIn, type StoredAccount } from "./memberships.ts";

/** The `database` option of a better-auth instance. */
type AuthDatabase = (options: BetterAuthOptions) => ReturnType<
  ReturnType<typeof createAdapterFactory>
>;

interface AdapterOptions {
  readonly tables: readonly SqlTable[];
  /** Returns the role of an account that was read. */
  readonly roleOf: RoleOf;
  /** Runs the library's writes with their account events. */
  readonly writes: LibraryWrites;
}

/** Makes the adapter of one better-auth instance. Its transactions are real ones. */
export function sqlAdapter(
  database: Database,
  { tables: declared, roleOf, writes }: AdapterOptions,
): AuthDatabase {
  const tables = tablesByName(declared);
  const over = (
    access: Access,
    transaction: NonNullable<
      Parameters<typeof createAdapterFactory>[0]["config"]["transaction"]
    >,
  ): AuthDatabase =>
    createAdapterFactory({
      config: {
        adapterId: "quickback",
        supportsDates: false,
        supportsBooleans: false,
        supportsJSON: false,
        transaction,
      },
      adapter: () => customAdapter(access, tables, { roleOf, writes }),
    });
  return (options) =>
    over(
      directAccess(database),
      (body) => inTransaction(database, (access) => body(over(access, false)(options))),
    )(options);
}

type Row = Readonly<Record<string, SqlValue>>;
type Values = Readonly<Record<string, unknown>>;

function customAdapter(
  access: Access,
  tables: AuthTables,
  { roleOf, writes }: Pick<AdapterOptions, "roleOf" | "writes">,
): CustomAdapter {
  const tableOf = (model: string) => tableOfModel(model, tables);
  const rowsOf = (table: AuthTable, result: ResultSet) =>
    storedRows(
      table,
      result,
      (id, account) => roleOf({ ...account, isAfterProof: writes.isAfterProof(id) }),
    );
  const firstRow = (table: AuthTable, result: ResultSet) => rowsOf(table, result)[0] ?? null;
  const read = async (statement: Statement) => (await access.reader()).run(statement);
  const write = (statement: Statement) => access.write((transaction) => transaction.run(statement));
  /** Updates or deletes rows. A change of memberships is refused if no owner would remain. */
  const change = async (
    table: AuthTable,
    { kind, where, values = {} }: {
      readonly kind: "update" | "delete";
      readonly where: Where;
      readonly values?: Values;
    },
    statement: Statement,
  ) => {
    const result = await access.write((transaction) => {
      const clause = whereClause(table, where);
      const run = () => transaction.run(statement);
      const kept = () => table.name === MEMBERS ? keepingOwners(transaction, clause, run) : run();
      return writes.run(transaction, { table: table.sqlName, kind, values, where: clause }, kept);
    });
    writes.tell();
    return result;
  };
  return {
    create: async ({ model, data }) => {
      const table = tableOf(model);
      const inserted = await access.write((transaction) =>
        writes.run(
          transaction,
          { table: table.sqlName, kind: "insert", values: data, where: { sql: "", args: [] } },
          () => transaction.run(insertion(table, data)),
        )
      );
      writes.tell();
      return { ...data, ...firstRow(table, inserted) };
    },
    findOne: async ({ model, where }) => {
      const table = tableOf(model);
      const row = firstRow(table, await read(selection(table, { where, limit: 1 })));
      if (table.name === SESSIONS && row !== null) writes.noteSession(row);
      return typed(row);
    },
    findMany: async ({ model, ...query }) => {
      const table = tableOf(model);
      return rowsOf(table, await read(selection(table, query))).flatMap((row) => typed(row) ?? []);
    },
    count: async ({ model, where }) => {
      const table = tableOf(model);
      const clause = whereClause(table, where);
      const sql = `SELECT count(*) FROM ${table.name}${clause.sql}`;
      return Number((await read({ sql, args: clause.args })).rows[0]?.[0] ?? 0);
    },
    update: async ({ model, where, update }) => {
      const table = tableOf(model);
      if (where.length === 0) return null;
      const values = valuesOf(update);
      const statement = updateOne(table, where, assignments(table, values));
      return typed(
        firstRow(table, await change(table, { kind: "update", where, values }, statement)),
      );
    },
    updateMany: async ({ model, where, update }) => {
      const table = tableOf(model);
      const set = assignments(table, update);
      const clause = whereClause(table, where);
      const sql = `UPDATE ${table.name} SET ${set.sql}${clause.sql}`;
      const statement = { sql, args: [...set.args, ...clause.args] };
      return (await change(table, { kind: "update", where, values: update }, statement)).changes;
    },
    delete: async ({ model, where }) => {
      const table = tableOf(model);
      await change(table, { kind: "delete", where }, deletion(table, where));
    },
    deleteMany: async ({ model, where }) => {
      const table = tableOf(model);
      return (await change(table, { kind: "delete", where }, deletion(table, where))).changes;
    },
    consumeOne: async ({ model, where }) => {
      const table = tableOf(model);
      const one = oneOf(table, where);
      const sql = `DELETE FROM ${table.name} WHERE ${one.sql} RETURNING ${selectList(table)}`;
      return typed(firstRow(table, await write({ sql, args: one.args })));
    },
    incrementOne: async ({ model, where, increment, set = {} }) => {
      const table = tableOf(model);
      const both = bothOf(increments(table, increment), assignments(table, set));
      return typed(firstRow(table, await write(updateOne(table, where, both))));
    },
  };
}

type Where = Parameters<typeof whereClause>[1];

/** Joins two clauses, either of which may be empty. */
function bothOf(one: Clause, other: Clause): Clause {
  const sql = [one.sql, other.sql].filter((sql) => sql !== "").join(", ");
  return { sql, args: [...one.args, ...other.args] };
}

function insertion(table: AuthTable, data: Values): Statement {
  const fields = Object.keys(data);
  const columns = fields.map((field) => columnOf(table, field)).join(", ");
  const places = fields.map(() => "?").join(", ");
  return {
    sql: `INSERT INTO ${table.name} (${columns}) VALUES (${places}) RETURNING ${selectList(table)}`,
    args: fields.map((field) => sqlValue(data[field])),
  };
}

function selection(
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

function updateOne(
  table: AuthTable,
  where: Where,
  set: Statement,
): Statement {
  const one = oneOf(table, where);
  // The library also updates nothing, and expects the row.
  const assigned = set.sql === "" ? `"id" = "id"` : set.sql;
  const sql = `UPDATE ${table.name} SET ${assigned} WHERE ${one.sql} RETURNING ${
    selectList(table)
  }`;
  return { sql, args: [...set.args, ...one.args] };
}

function deletion(table: AuthTable, where: Where): Statement {
  const clause = whereClause(table, where);
  if (clause.sql === "") throw new Error(`Nothing says which rows of ${table.name} to delete`);
  return { sql: `DELETE FROM ${table.name}${clause.sql}`, args: clause.args };
}

/** Returns the condition that selects at most one of the rows. */
function oneOf(table: AuthTable, where: Where): Statement {
  const clause = whereClause(table, where);
  if (clause.sql === "") throw new Error(`Nothing says which row of ${table.name} is meant`);
  const sql = `"id" IN (SELECT "id" FROM ${table.name}${clause.sql} LIMIT 1)`;
  return { sql, args: clause.args };
}

function assignments(table: AuthTable, values: Values): Statement {
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

function increments(table: AuthTable, deltas: Readonly<Record<string, number>>): Statement {
  const columns = Object.keys(deltas).map((field) => columnOf(table, field));
  return {
    sql: columns.map((column) => `${column} = ${column} + ?`).join(", "),
    args: Object.values(deltas),
  };
}

function storedRows(
  table: AuthTable,
  { rows }: ResultSet,
  roleOf: (id: SqlValue | undefined, account: Omit<StoredAccount, "isAfterProof">) => string | null,
): readonly Row[] {
  const fields = [...table.columns.keys()];
  const stored = rows.map((cells): Row =>
    Object.fromEntries(fields.map((field, place) => [field, cells[place] ?? null]))
  );
  if (table.name === USERS) {
    return stored.map((user) => {
      const { id, email, emailVerified, role } = user;
      return { ...user, role: exactRoles(roleOf(id, { email, emailVerified, role })) };
    });
  }
  if (table.name !== MEMBERS && table.name !== INVITATIONS) return stored;
  return stored.map((row) => ({ ...row, role: exactRoles(row["role"]) }));
}

/** Keeps the exact role names. The library trims roles before some judgements and not before others. */
function exactRoles(role: SqlValue | undefined): SqlValue {
  return typeof role === "string" ? rolesIn(role).join(",") : role ?? null;
}

const USERS = sqlIdentifier("auth_user");
const MEMBERS = sqlIdentifier("auth_member");
const INVITATIONS = sqlIdentifier("auth_invitation");
const SESSIONS = sqlIdentifier("auth_session");

function valuesOf(value: unknown): Values {
  if (typeof value !== "object" || value === null) throw new Error("An update needs an object");
  return Object.fromEntries(Object.entries(value));
}

/** Casts a row to the type that the library asked for. The table was made from the library's own schema. */
function typed<T>(row: Row | null): T | null {
  return isRow<T>(row) ? row : null;
}

function isRow<T>(row: unknown): row is T {
  return typeof row === "object" && row !== null;
}

interface Clause {
  readonly sql: string;
  readonly args: readonly SqlValue[];
}

type Operator = NonNullable<CleanedWhere["operator"]>;

/** Returns `WHERE …`, or nothing: all AND conditions, and one of the OR conditions if there are any. */
function whereClause(table: AuthTable, where: readonly CleanedWhere[] = []): Clause {
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

interface AuthTable {
  readonly sqlName: string;
  /** Quoted name. */
  readonly name: string;
  /** Quoted columns by field, in table order. */
  readonly columns: ReadonlyMap<string, string>;
}

type AuthTables = ReadonlyMap<string, AuthTable>;

function tablesByName(tables: readonly SqlTable[]): AuthTables {
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
function tableOfModel(model: string, tables: AuthTables): AuthTable {
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
function selectList(table: AuthTable): string {
  return [...table.columns.values()].join(", ");
}

/** Converts `emailVerified` to `email_verified`. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
