/** A project under test whose organizations have a database each, and all of them together as tests look at them. */
import { homeOf, isPerOrganization } from "../../shared/model/tenancy.ts";
import type { ProjectModel, TableModel } from "../../shared/model/mod.ts";
import { openTenantDatabases } from "../../shared/runtime/mod.ts";
import type {
  Clock,
  Database,
  Migration,
  ResultSet,
  SqlValue,
  Statement,
  TenantDatabases,
  TenantStore,
} from "../../shared/runtime/ports.ts";
import { seededRandom } from "./random.ts";

/** The project with a database for each organization, where its definitions allow that; else as it is. */
export function dividedProject(project: ProjectModel): ProjectModel {
  const isPossible = project.multiTenant && !leavesHome(project);
  if (!isPossible) return project;
  return DIVIDED.get(project) ?? divided(project);
}

/** What is made of a model is kept by the model. */
const DIVIDED = new WeakMap<ProjectModel, ProjectModel>();

function divided(project: ProjectModel): ProjectModel {
  const made: ProjectModel = {
    ...project,
    database: { ...project.database, tenancy: "perOrganization" },
  };
  DIVIDED.set(project, made);
  return made;
}

function leavesHome({ tables, actions }: ProjectModel): boolean {
  const homes = new Map(tables.map((table) => [table.name, homeOf(table)]));
  return tables.some(({ name, columns }) =>
    columns.some(({ references }) =>
      references !== null && homes.get(references.table) !== homes.get(name)
    )
  ) || actions.some(({ table, refs }) =>
    Object.values(refs).some((target) =>
      homes.get(target) !== (table === null ? "tenant" : homes.get(table))
    )
  );
}

interface Parts {
  /** The directory. */
  readonly database: Database;
  readonly store: TenantStore;
  readonly schema: readonly Statement[];
  /** Stands between the API and each of its databases. */
  readonly wrap: (database: Database) => Database;
  readonly clock: Clock;
}

/** The one migration that makes these tables. */
export function migrationOf(schema: readonly Statement[]): Migration {
  const sql = schema.map((one) => one.sql).join(";\n--> statement-breakpoint\n");
  return { tag: "0000_test", when: 1, sql };
}

/** `whole` runs a test's own statements where the rows are. */
export function dividedDatabase(
  project: ProjectModel,
  { database, store, schema, wrap, clock }: Parts,
): { readonly tenants: TenantDatabases; readonly whole: Database } {
  if (!isPerOrganization(project)) throw new Error("The project has one database");
  const tenants = openTenantDatabases({
    project,
    directory: database,
    store: {
      ...store,
      make: async (name) => wrap(await store.make(name)),
      open: async (name) => wrap(await store.open(name)),
    },
    migrations: [migrationOf(schema)],
    clock,
    logger: { log: () => {} },
    // So small that tests open and close them all the time.
    poolSize: 1 + seededRandom(3).below(2),
  });
  return { tenants, whole: wholeOf(project, database, tenants) };
}

function wholeOf(project: ProjectModel, directory: Database, tenants: TenantDatabases): Database {
  const tables = new Map(project.tables.map((table) => [table.sqlName, table]));
  const all = async (): Promise<readonly Database[]> => [
    directory,
    ...(await tenants.organizations("", 1000)).map((id) => tenants.of(id, "never")),
  ];
  /** The one with the endpoint that a delivery goes to. */
  const holding = async ({ args }: Statement): Promise<Database> => {
    const sql = "SELECT 1 FROM webhook_endpoints WHERE id IN (SELECT value FROM json_each(?))";
    const given = [JSON.stringify(args.filter((one) => typeof one === "string"))];
    for (const one of await all()) {
      if ((await one.run({ sql, args: given })).rows.length > 0) return one;
    }
    return directory;
  };
  const run = async (statement: Statement): Promise<ResultSet> => {
    const single = singleInsertions(statement);
    if (single.length > 1) {
      let changes = 0;
      for (const one of single) changes += (await run(one)).changes;
      return { rows: [], changes };
    }
    const home = insertionHome(statement, tables);
    if (home === "directory") return await written(directory, statement);
    if (home !== null) return await written(tenants.of(home.organizationId, "claimed"), statement);
    const [, table = ""] = /^\s*insert into (\w+)/i.exec(statement.sql) ?? [];
    if (table === "webhook_deliveries") return await written(await holding(statement), statement);
    if (!/^\s*(select|with|pragma)\b/i.test(statement.sql)) {
      return await changedWhereItIs(await all(), statement);
    }
    const results: ResultSet[] = [];
    for (const one of await all()) results.push(await one.run(statement));
    return joined(statement, results);
  };
  const runAll = async (statements: readonly Statement[]) => {
    const results: ResultSet[] = [];
    for (const statement of statements) results.push(await run(statement));
    return results;
  };
  return {
    run,
    runAll,
    write: (body) => body({ writable: true, run, runAll }),
    migrate: (statements) => directory.migrate(statements),
    close: () => Promise.resolve(),
  };
}

function written(database: Database, statement: Statement): Promise<ResultSet> {
  return database.write((transaction) => transaction.run(statement));
}

/** A foreign key leads to where the row belongs: a database without its target refuses it. */
async function changedWhereItIs(
  databases: readonly Database[],
  statement: Statement,
): Promise<ResultSet> {
  const isInsertion = /^\s*insert\b/i.test(statement.sql);
  const results: ResultSet[] = [];
  let refusal: unknown = null;
  for (const one of databases) {
    try {
      results.push(await written(one, statement));
      if (isInsertion) break;
    } catch (error) {
      refusal = error;
    }
  }
  if (results.length === 0) throw refusal;
  return {
    rows: results.flatMap(({ rows }) => rows),
    changes: results.reduce((sum, { changes }) => sum + changes, 0),
  };
}

/** One for each row: they may belong to several organizations. */
function singleInsertions({ sql, args }: Statement): readonly Statement[] {
  const [, head = "", rows = ""] =
    /^(\s*insert into [^(]+\([^)]*\)\s*values)\s*((?:\([?,\s]+\)[,\s]*)+)$/i.exec(sql) ?? [];
  const groups = rows.match(/\([?,\s]+\)/g) ?? [];
  let taken = 0;
  return groups.map((group) => {
    const from = taken;
    taken += group.match(/\?/g)?.length ?? 0;
    return { sql: `${head} ${group}`, args: args.slice(from, taken) };
  });
}

/** Where an insertion of one row belongs; null: its text does not say. */
function insertionHome(
  { sql, args }: Statement,
  tables: ReadonlyMap<string, TableModel>,
): "directory" | { readonly organizationId: string } | null {
  const [, name = "", columns = ""] = /^\s*insert into ["`]?(\w+)["`]?\s*\(([^)]*)\)/i.exec(sql) ??
    [];
  const table = tables.get(name);
  if (table === undefined) return null;
  if (homeOf(table) === "directory") return "directory";
  const organization = table.columns.find((one) => one.name === table.scope.organization)?.sqlName;
  const at = columns.split(",").map((one) => one.trim().replaceAll(/["`]/g, "")).indexOf(
    organization ?? "",
  );
  const [, values = ""] = /values\s*\(([^)]*)\)/i.exec(sql) ?? [];
  const given = values.split(",").map((one) => one.trim());
  const literal = /^'(.*)'$/.exec(given[at] ?? "")?.[1];
  const bound = args[given.slice(0, at).filter((one) => one === "?").length];
  const value: SqlValue | undefined = literal ?? (given[at] === "?" ? bound : undefined);
  return typeof value === "string" ? { organizationId: value } : null;
}

/** Counts are added up, rows stand one after another; the catalogue of one database is that of all. */
function joined({ sql }: Statement, results: readonly ResultSet[]): ResultSet {
  const [first = { rows: [], changes: 0 }] = results;
  if (/\b(pragma|sqlite_schema|sqlite_master)\b/i.test(sql)) return first;
  const isCount = /^\s*select\s+(count|sum)\([^)]*\)\s+from/i.test(sql);
  const rows = results.flatMap((one) => one.rows);
  if (!isCount) return { ...first, rows };
  return { ...first, rows: [[rows.reduce((sum, [cell = 0]) => sum + Number(cell), 0)]] };
}
