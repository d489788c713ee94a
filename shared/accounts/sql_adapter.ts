/** better-auth's storage over the `Database` port. */
import { createAdapterFactory, type CustomAdapter } from "better-auth/adapters";
import type { BetterAuthOptions } from "better-auth/types";
import { sqlIdentifier } from "../lib/sql_text.ts";
import type { SqlTable } from "../model/mod.ts";
import type { Database, ResultSet, SqlValue, Statement } from "../runtime/ports.ts";
import type { LibraryWrites } from "./credentials/library_writes.ts";
import { keepingOwners } from "./last_owner.ts";
import { type Access, directAccess, inTransaction } from "./lazy_transaction.ts";
import { type RoleOf, rolesIn, type StoredAccount } from "./memberships.ts";
import {
  assignments,
  type AuthTable,
  type AuthTables,
  bothOf,
  counting,
  deletion,
  increments,
  insertion,
  oneOf,
  selection,
  selectList,
  SESSIONS,
  tableOfModel,
  tablesByName,
  updateAll,
  updateOne,
  type Values,
  valuesOf,
  type Where,
  whereClause,
} from "./table_statements.ts";

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

/** Ways in which the adapter reads and writes the tables of the library. */
function tableAccess(
  access: Access,
  tables: AuthTables,
  { roleOf, writes }: Pick<AdapterOptions, "roleOf" | "writes">,
) {
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
  return { tableOf, rowsOf, firstRow, read, write, change };
}

function customAdapter(
  access: Access,
  tables: AuthTables,
  options: Pick<AdapterOptions, "roleOf" | "writes">,
): CustomAdapter {
  const { writes } = options;
  const { tableOf, rowsOf, firstRow, read, write, change } = tableAccess(access, tables, options);
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
      const { rows } = await read(counting(tableOf(model), where));
      return Number(rows[0]?.[0] ?? 0);
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
      const statement = updateAll(table, where, update);
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

/** Casts a row to the type that the library asked for. The table was made from the library's own schema. */
function typed<T>(row: Row | null): T | null {
  return isRow<T>(row) ? row : null;
}

function isRow<T>(row: unknown): row is T {
  return typeof row === "object" && row !== null;
}
