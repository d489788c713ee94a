/** Copies the rows of one organization from one database into another, and proves that they are the same. */
import { storageOf } from "../../../column_types/mod.ts";
import { sha256Hex } from "../../../lib/bytes.ts";
import { sqlIdentifier } from "../../../lib/sql_text.ts";
import type { ProjectModel, SqlTable, TableModel } from "../../../model/mod.ts";
import { AUTH_TABLE_NAMES, hasJobs, homeOf, JOB_RUNS, JOBS } from "../../../model/mod.ts";
import { OAUTH_TABLES, PUSH_MESSAGES, serviceTables } from "../../../model/mod.ts";
import { TENANT_DATABASES, WEBHOOK_DELIVERIES } from "../../../model/mod.ts";
import type { Database, Reader, SqlValue, Statement } from "../../ports.ts";

/** SQL of a column: its name, its stored form, and the place of one. */
interface CopiedColumn {
  readonly name: string;
  readonly cell: string;
  readonly mark: string;
}

/** A table with the condition that a row of a shared database is an organization's; each `?` stands for it. */
export interface CopiedTable {
  readonly name: string;
  readonly columns: readonly CopiedColumn[];
  readonly key: string;
  readonly ofOrganization: string;
}

/** Rows of a table, and a digest of all that is in them in the order of their keys. */
export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** SHA-256, in hexadecimal digits. */
  readonly hash: string;
}

/** Service tables that an organization's database uses, with what makes a row the organization's. */
const SERVICE: ReadonlyMap<string, string> = new Map([
  [JOB_RUNS.name, `"organization_id" = ?`],
  // Of a shared database, nothing says which organization's they are.
  [PUSH_MESSAGES.name, "0"],
  ["audit_events", `"target_org_id" = ?`],
  ["audit_changes", `"chain" = ?`],
  ["audit_chains", `"chain" = ?`],
  ["idempotency_keys", `"organization_id" = ?`],
  ["webhook_endpoints", `"organization_id" = ?`],
  [
    "webhook_deliveries",
    `"endpoint_id" IN (SELECT "id" FROM "webhook_endpoints" WHERE "organization_id" = ?)`,
  ],
]);

/** Tables of an organization's database whose rows make up the organization. */
export function tenantTables(project: ProjectModel): readonly CopiedTable[] {
  return [
    ...project.tables.filter((table) => homeOf(table) === "tenant").map((table) => ({
      ...plainTable(table),
      ofOrganization: scopeCondition(table),
    })),
    ...serviceTables(project).flatMap((table) => {
      const ofOrganization = SERVICE.get(table.name);
      return ofOrganization === undefined ? [] : [{ ...serviceTable(table), ofOrganization }];
    }),
  ];
}

/** Tables of the directory, with what a row of a shared database must be to stay there. */
export function directoryTables(project: ProjectModel): readonly CopiedTable[] {
  const kept = serviceTables(project).filter(({ name }) =>
    name !== TENANT_DATABASES.name && name !== JOBS.name
  );
  const rest: ReadonlyMap<string, string> = new Map([
    [JOB_RUNS.name, `"organization_id" IS NULL`],
    ["audit_events", `"target_org_id" IS NULL`],
    ["audit_changes", `"chain" = ''`],
    ["audit_chains", `"chain" = ''`],
    ["idempotency_keys", `"organization_id" IS NULL`],
    ["webhook_endpoints", `"organization_id" IS NULL`],
    [
      "webhook_deliveries",
      `"endpoint_id" IN (SELECT "id" FROM "webhook_endpoints" WHERE "organization_id" IS NULL)`,
    ],
  ]);
  return [
    ...kept.map((table) => ({
      ...serviceTable(table),
      ofOrganization: rest.get(table.name) ?? "1",
    })),
    ...project.tables.filter((table) => homeOf(table) === "directory").map((table) => ({
      ...plainTable(table),
      ofOrganization: "1",
    })),
  ];
}

function serviceTable({ name, columns }: SqlTable): Omit<CopiedTable, "ofOrganization"> {
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

function plainTable({ sqlName, columns, primaryKey }: TableModel) {
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
function scopeCondition(table: TableModel): string {
  const sqlName = (name: string) =>
    sqlIdentifier(table.columns.find((column) => column.name === name)?.sqlName ?? name);
  const named = table.scope.organization ??
    table.firewall.find(({ kind }) => kind === "organization")?.column;
  if (named !== undefined) return `${sqlName(named)} = ?`;
  const team = table.scope.team ?? table.firewall.find(({ kind }) => kind === "team")?.column ?? "";
  return `${sqlName(team)} IN (SELECT "id" FROM "auth_team" WHERE "organization_id" = ?)`;
}

const ROWS_AT_ONCE = 500;

interface Selection {
  /** Null: every row of the database. */
  readonly organizationId: string | null;
}

/** Rows in the order of their keys, some at a time. */
async function* rowsOf(
  reader: Reader,
  { name, columns, key, ofOrganization }: CopiedTable,
  { organizationId }: Selection,
): AsyncGenerator<readonly (readonly SqlValue[])[], void, undefined> {
  const list = columns.map(({ cell }) => cell).join(", ");
  const condition = organizationId === null ? "1" : ofOrganization;
  const given = organizationId === null
    ? []
    : Array.from(condition.matchAll(/\?/g), () => organizationId);
  const at = columns.findIndex((column) => column.name === sqlIdentifier(key));
  for (let after: SqlValue = null;;) {
    const isFirst: boolean = after === null;
    const { rows } = await reader.run({
      sql: `SELECT ${list} FROM ${sqlIdentifier(name)} WHERE (${condition})${
        isFirst ? "" : ` AND ${sqlIdentifier(key)} > ?`
      } ORDER BY ${sqlIdentifier(key)} LIMIT ${ROWS_AT_ONCE}`,
      args: isFirst ? given : [...given, after],
    });
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_AT_ONCE) return;
    after = rows.at(-1)?.[at] ?? null;
  }
}

/** Counts and digests of tables; equal rows have equal digests in whatever database they stand. */
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
 * Puts the rows of these tables in the place of those that the target has, in one transaction of it. Throws when what stands
 * there afterwards is not what was read; gives its digests.
 */
export async function copyRows(
  from: Reader,
  to: Database,
  { tables, organizationId }: Selection & { readonly tables: readonly CopiedTable[] },
): Promise<readonly TableDigest[]> {
  const statements: Statement[] = [];
  for (const table of tables) {
    const { name, columns } = table;
    statements.push({ sql: `DELETE FROM ${sqlIdentifier(name)}`, args: [] });
    const list = columns.map((column) => column.name).join(", ");
    const size = Math.max(1, Math.floor(VALUES_MAX / columns.length));
    const marks = `(${columns.map(({ mark }) => mark).join(", ")})`;
    for await (const rows of rowsOf(from, table, { organizationId })) {
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
  const wanted = await digestsOf(from, tables, { organizationId });
  const found = await digestsOf(to, tables, { organizationId: null });
  const wrong = wanted.find(({ rows, hash }, at) =>
    found[at]?.rows !== rows || found[at]?.hash !== hash
  );
  if (wrong) {
    throw new Error(
      `Table "${wrong.table}" is not what was read: it was written meanwhile; stop what writes, and run this again`,
    );
  }
  return found;
}

/** True when both hold the same rows. */
export function isSame(one: readonly TableDigest[], other: readonly TableDigest[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Waiting work is handed over anew: the queue of the database that it came from stays behind. */
export function requeued(project: ProjectModel): readonly Statement[] {
  const tables = [
    ...(project.webhooks.outbound ? [[WEBHOOK_DELIVERIES.name, "'pending'"]] : []),
    ...(hasJobs(project) ? [[JOB_RUNS.name, "'queued', 'running'"]] : []),
  ];
  return [
    ...tables.map(([name, waiting]) => `${name} SET queued_at = NULL WHERE status IN (${waiting})`),
    ...(project.realtime.push ? [`${PUSH_MESSAGES.name} SET queued_at = NULL`] : []),
  ].map((change) => ({ sql: `UPDATE ${change}`, args: [] }));
}

/** Tables of the accounts are the directory's alone. */
export const ACCOUNT_TABLES: readonly string[] = [
  ...AUTH_TABLE_NAMES,
  ...OAUTH_TABLES.map(({ name }) => name),
];
