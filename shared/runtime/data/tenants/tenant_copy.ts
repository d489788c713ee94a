/** Copies the rows of one organization between databases and verifies that they are equal. */
import { storedColumns } from "../../../surface/mod.ts";
import { storageOf } from "../../../column_types/mod.ts";
import { sha256Hex } from "../../../lib/bytes.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import { columnPredicates, homeOf, outboxesOf, SERVICE_TABLES } from "../../../model/mod.ts";
import { serviceRecordsOf, serviceTables } from "../../../model/mod.ts";
import type { Home, ProjectModel, ServiceTable, SqlTable, TableModel } from "../../../model/mod.ts";
import type { Database, Reader, SqlValue, Statement } from "../../ports.ts";
import { waitingCondition } from "../outbox_rows.ts";
import { ownedCondition } from "../owned_rows.ts";

/** SQL of a column: its name, its stored form, and the place of one. */
interface CopiedColumn {
  readonly name: string;
  readonly cell: string;
  readonly mark: string;
}

/** A table with the condition for the rows to copy. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CopiedColumn[];
  readonly key: string;
  /** Each `?` stands for the same value. */
  readonly condition: string;
  /** SQL of the column whose team says which organization a row belongs to; null: the row says it itself. */
  readonly team: string | null;
  /** Record of a service table; absent: a table of the project. */
  readonly service?: ServiceTable | undefined;
}

/** Rows of a table, and a digest of all that is in them in the order of their keys. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

/** Tables of an organization's database whose rows make up the organization. */
export function tenantTables(project: ProjectModel): readonly CopiedTable[] {
  return [
    ...project.tables.filter((table) => homeOf(table) === "tenant").map((table) => ({
      ...plainTable(table),
      ...scopeOf(table),
    })),
    ...servicesIn(project).flatMap(({ table, service }) => {
      if (!service?.inExport) return [];
      return [{ ...serviceTable(table), condition: leaving(service), team: null, service }];
    }),
  ];
}

/** Service tables of the project with their records; those of accounts have none. */
function servicesIn(project: ProjectModel) {
  const records: Readonly<Record<string, ServiceTable>> = SERVICE_TABLES;
  return serviceTables(project).map((table) => ({ table, service: records[table.name] }));
}

/** Returns the condition of the organization's rows. Rows that refer to a record are left out: nothing says whose it is. */
function leaving(service: ServiceTable): string {
  const owners = { named: (column: string) => `${column} = ?`, ofRecord: () => "0" };
  return ownedCondition(service, owners) ?? "0";
}

/**
 * Returns the condition of the rows that stay in the directory: those of no organization, and those that are kept of deleted ones.
 */
function staying(service: ServiceTable): string {
  if (service.home !== "tenant") return "1";
  const named = (column: string, { onPurge }: ServiceTable) =>
    onPurge === "delete" ? `${column} IS NULL` : `coalesce(${column}, '') NOT IN ${LEAVING}`;
  return ownedCondition(service, { named, ofRecord: () => "1" }) ?? "1";
}

/**
 * Returns the organizations whose rows a shared database has, in order: those with an account row, and those known only by
 * their rows. Deleted ones and those in deletion are left out.
 */
export async function organizationsIn(
  project: ProjectModel,
  source: Reader,
): Promise<readonly string[]> {
  const scoped = project.tables.flatMap(({ sqlName, columns, scope }) => {
    const column = columns.find(({ name }) => name === scope.organization)?.sqlName;
    return column === undefined ? [] : [[sqlName, column] as const];
  });
  // What outlives an organization may name one that is no more.
  const service = serviceRecordsOf(project).flatMap(({ table, ownedBy, inExport, onPurge }) =>
    inExport && onPurge === "delete" && ownedBy.kind === "named"
      ? [[table.name, ownedBy.column] as const]
      : []
  );
  const named = [["auth_organization", "id"] as const, ...scoped, ...service].map((
    [table, column],
  ) => `SELECT ${sqlIdentifier(column)} AS id FROM ${sqlIdentifier(table)}`);
  const { rows } = await source.run({
    sql: `SELECT id FROM (${named.join(" UNION ")}) WHERE id IS NOT NULL
      AND id NOT IN (SELECT "organization_id" FROM "organization_purges") ORDER BY id`,
    args: [],
  });
  return rows.map(([id]) => String(id));
}

/**
 * Returns the tables of the directory with the condition for rows that stay there; each `?` is a JSON list of the organizations
 * that leave. Records of deleted organizations stay, and so do all idempotency keys, because any may be repeated here.
 */
export function directoryTables(project: ProjectModel): readonly CopiedTable[] {
  return [
    ...servicesIn(project).filter(({ service }) => service?.onSplit !== "leave")
      .map(({ table, service }) => ({
        ...serviceTable(table),
        condition: service ? staying(service) : "1",
        team: null,
        service,
      })),
    ...project.tables.filter((table) => homeOf(table) === "directory").map((table) => ({
      ...plainTable(table),
      condition: "1",
      team: null,
    })),
  ];
}

const LEAVING = "(SELECT value FROM json_each(?))";

function serviceTable({ name, columns }: SqlTable): Omit<CopiedTable, "condition" | "team"> {
  const key = columns.find(({ primaryKey }) => primaryKey)?.name ?? "rowid";
  return {
    name,
    columns: columns.map((column) => {
      const own = sqlIdentifier(column.name);
      return { name: own, cell: own, mark: "?" };
    }),
    key,
  };
}

function plainTable(table: TableModel) {
  const { sqlName, primaryKey } = table;
  const columns = storedColumns(table);
  const key = columns.find(({ name }) => name === primaryKey)?.sqlName ?? primaryKey;
  return {
    name: sqlName,
    columns: columns.map(({ sqlName, type }) => {
      const own = sqlIdentifier(sqlName);
      const storage = storageOf(type);
      return { name: own, cell: storage.read(own), mark: storage.write("?") };
    }),
    key,
  };
}

/** By its organization, else by its team. */
function scopeOf(table: TableModel): Pick<CopiedTable, "condition" | "team"> {
  const sqlName = (name: string) =>
    sqlIdentifier(table.columns.find((column) => column.name === name)?.sqlName ?? name);
  const isolating = columnPredicates(table.firewall);
  const named = table.scope.organization ??
    isolating.find(({ kind }) => kind === "organization")?.column;
  if (named !== undefined) return { condition: `${sqlName(named)} = ?`, team: null };
  const team = sqlName(
    table.scope.team ?? isolating.find(({ kind }) => kind === "team")?.column ?? "",
  );
  return {
    condition: `${team} IN (SELECT "id" FROM "auth_team" WHERE "organization_id" = ?)`,
    team,
  };
}

const ROWS_AT_ONCE = 500;

interface Selection {
  /** Value of each `?` of a table's condition; null: every row of the database. */
  readonly of: string | null;
}

/** Rows in the order of their keys, some at a time. */
async function* rowsOf(
  reader: Reader,
  { name, columns, key, condition }: CopiedTable,
  { of }: Selection,
): AsyncGenerator<readonly (readonly SqlValue[])[], void, undefined> {
  const list = columns.map(({ cell }) => cell).join(", ");
  const chosen = of === null ? "1" : condition;
  const given = of === null ? [] : Array.from(chosen.matchAll(/\?/g), () => of);
  const at = columns.findIndex((column) => column.name === sqlIdentifier(key));
  for (let after: SqlValue = null;;) {
    const isFirst: boolean = after === null;
    const { rows } = await reader.run({
      sql: `SELECT ${list} FROM ${sqlIdentifier(name)} WHERE (${chosen})${
        isFirst ? "" : ` AND ${sqlIdentifier(key)} > ?`
      } ORDER BY ${sqlIdentifier(key)} LIMIT ${ROWS_AT_ONCE}`,
      args: isFirst ? given : [...given, after],
    });
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.[at] ?? null;
  }
}

/** Counts and digests of tables. Equal rows have equal digests in any database. */
export async function digestsOf(
  reader: Reader,
  tables: readonly CopiedTable[],
  selection: Selection,
): Promise<readonly TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const table of tables) {
    let count = 0;
    let hash = "";
    for await (const rows of rowsOf(reader, table, selection)) {
      count += rows.length;
      const text = hash + JSON.stringify(rows, (_, cell) => told(cell));
      hash = await sha256Hex(text);
    }
    digests.push({ table: table.name, rows: count, hash });
  }
  return digests;
}

/** A cell that JSON cannot tell. */
function told(cell: unknown): unknown {
  if (typeof cell === "bigint") return { integer: String(cell) };
  return cell instanceof Uint8Array ? { blob: cell.toHex() } : cell;
}

/** Values that one statement binds: far from what any SQLite takes. */
const VALUES_MAX = 900;

/**
 * Replaces the target's rows by those of these tables in one transaction. Throws if the result differs from what was read;
 * returns its digests.
 */
export async function copyRows(
  from: Reader,
  to: Database,
  { tables, of }: Selection & { readonly tables: readonly CopiedTable[] },
): Promise<readonly TableDigest[]> {
  const statements: Statement[] = [];
  for (const table of tables) {
    const { name, columns } = table;
    statements.push({ sql: `DELETE FROM ${sqlIdentifier(name)}`, args: [] });
    const list = columns.map((column) => column.name).join(", ");
    const size = Math.max(1, Math.floor(VALUES_MAX / columns.length));
    const marks = `(${columns.map(({ mark }) => mark).join(", ")})`;
    for await (const rows of rowsOf(from, table, { of })) {
      for (let at = 0; at < rows.length; at += size) {
        const some = rows.slice(at, at + size);
        statements.push({
          sql: `INSERT INTO ${sqlIdentifier(name)} (${list}) VALUES ${
            some.map(() => marks).join(", ")
          }`,
          args: some.flat(),
        });
      }
    }
  }
  await to.migrate(statements);
  const wanted = await digestsOf(from, tables, { of });
  const found = await digestsOf(to, tables, { of: null });
  const wrong = unlike(wanted, found);
  if (wrong) {
    throw new Error(
      `Table "${wrong.table}" is not what was read: it was written meanwhile; stop what writes, and run this again`,
    );
  }
  return found;
}

/**
 * Returns true if the rows were copied before, and false if there are none. Throws if there are others, which were written
 * since or come from another source.
 */
export async function isCopied(
  { from, to, tables, of }: Selection & {
    readonly from: Reader;
    readonly to: Reader;
    readonly tables: readonly CopiedTable[];
  },
): Promise<boolean> {
  // Work that waited may have been handed over since.
  const compared = tables.map(({ columns, ...table }) => ({
    ...table,
    columns: columns.filter(({ name }) => name !== QUEUED_AT),
  }));
  const found = await digestsOf(to, compared, { of: null });
  if (found.every(({ rows }) => rows === 0)) return false;
  const other = unlike(await digestsOf(from, compared, { of }), found);
  if (other === undefined) return true;
  throw new Error(
    `Table "${other.table}" has other rows already, which are not replaced: split into empty databases`,
  );
}

/** The first of these tables that has other rows there. */
function unlike(
  tables: readonly TableDigest[],
  there: readonly TableDigest[],
): TableDigest | undefined {
  return tables.find(({ rows, hash }, at) => there[at]?.rows !== rows || there[at]?.hash !== hash);
}

const QUEUED_AT = sqlIdentifier("queued_at");

/**
 * Returns statements that requeue waiting work, because the queue of the old database stays behind. `home` is that of the new
 * one.
 */
export function requeued(project: ProjectModel, home: Home): readonly Statement[] {
  return outboxesOf(project)
    .filter(({ name }) => home === "directory" || SERVICE_TABLES[name].home !== "directory")
    .map(({ name, states }) => {
      const where = states === undefined ? "" : ` WHERE ${waitingCondition(states)}`;
      return { sql: `UPDATE ${name} SET queued_at = NULL${where}`, args: [] };
    });
}
