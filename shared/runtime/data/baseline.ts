/** Records the first migration as applied in a database that already has its tables, after comparing them. */
import { z } from "zod";
import { parsedJson } from "../../lib/json.ts";
import { searchTriggersOf } from "../../surface/mod.ts";
import type { Baseline, Database, Statement } from "../ports.ts";
import { isApplied, keepJournal, recordOf } from "./migrations.ts";

/** The parts of the compiler's snapshot that can be compared with a database. */
const snapshotSchema = z.object({
  tables: z.record(
    z.string(),
    z.object({
      columns: z.record(
        z.string(),
        z.object({ type: z.string(), notNull: z.boolean(), primaryKey: z.boolean() }),
      ),
      indexes: z.record(
        z.string(),
        z.object({ columns: z.array(z.string()), isUnique: z.boolean() }),
      ),
      foreignKeys: z.record(
        z.string(),
        z.object({
          tableTo: z.string(),
          columnsFrom: z.array(z.string()),
          onDelete: z.string().default("no action"),
        }),
      ),
    }),
  ),
  internal: z.object({
    search: z.record(z.string(), z.object({ tenant: z.string().optional() })).optional(),
  }).optional(),
});

/** Facts of a table by their subject: `column "title"` → `text, required`. */
type Facts = ReadonlyMap<string, string>;
type Schema = ReadonlyMap<string, Facts>;

/**
 * Records the baseline. Returns false if it is recorded already. Throws with all differences unless each of its tables exists
 * with exactly its columns, named indexes and foreign keys, and the names of later tables are free. Other tables are ignored.
 */
export async function recordBaseline(
  database: Database,
  { migration, first, last }: Baseline,
): Promise<boolean> {
  const expected = schemaOf(first, migration.tag);
  const present = await readSchema(database);
  const known = present.has("__drizzle_migrations");
  if (known && await isApplied(database, migration)) return false;
  const made = [...schemaOf(last, migration.tag).keys()].filter((name) => !expected.has(name));
  const differences = [
    ...[...expected].flatMap(([table, facts]) => differencesOf(table, facts, present.get(table))),
    ...made.filter((name) => present.has(name)).map((name) =>
      `table ${JSON.stringify(name)} is in the way: a later migration makes it`
    ),
  ];
  if (differences.length > 0) {
    throw new Error(
      `Cannot take this database as migrated up to '${migration.tag}', and nothing was changed:\n` +
        `${differences.map((difference) => `  - ${difference}`).join("\n")}\n` +
        "Bring it to that schema, on a copy first, and try again",
    );
  }
  await keepJournal(database);
  await database.migrate([await recordOf(migration)]);
  return true;
}

/** Returns the triggers of a table's full-text index; undefined: it has none. */
function searchFacts(
  table: string,
  search: { readonly tenant?: string | undefined } | undefined,
): readonly Fact[] {
  return search === undefined ? [] : searchTriggersOf(table, search).map(triggerFact);
}

function triggerFact(name: string): Fact {
  return [`trigger ${JSON.stringify(name)}`, "there"];
}

function schemaOf(text: string, tag: string): Schema {
  const { data } = snapshotSchema.safeParse(parsedJson(text));
  if (!data) {
    throw new Error(`Cannot read the snapshots beside '${tag}'; restore them from version control`);
  }
  return new Map(
    Object.entries(data.tables).map(([name, { columns, indexes, foreignKeys }]) => [
      name,
      new Map([
        ...Object.entries(columns).map(([column, { type, notNull, primaryKey }]) =>
          columnFact(column, type, notNull, primaryKey)
        ),
        ...Object.entries(indexes).map(([index, { columns, isUnique }]) =>
          indexFact(index, columns, isUnique)
        ),
        ...Object.values(foreignKeys).map(({ columnsFrom, tableTo, onDelete }) =>
          foreignKeyFact(columnsFrom.join(", "), tableTo, onDelete)
        ),
        ...searchFacts(name, new Map(Object.entries(data.internal?.search ?? {})).get(name)),
      ]),
    ]),
  );
}

const TABLES: Statement = {
  sql: `SELECT name FROM sqlite_master WHERE type = 'table'`,
  args: [],
};
const COLUMNS: Statement = {
  sql: `SELECT t.name, c.name, c.type, c."notnull", c.pk
    FROM sqlite_master t JOIN pragma_table_xinfo(t.name) c WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'`,
  args: [],
};
const INDEXES: Statement = {
  sql: `SELECT t.name, i.name, i."unique", c.name
    FROM sqlite_master t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
    WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%' AND i.origin = 'c' ORDER BY i.name, c.seqno`,
  args: [],
};
/** Selects all triggers. A rebuilt table would lose them. */
const TRIGGERS: Statement = {
  sql: `SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'`,
  args: [],
};
const FOREIGN_KEYS: Statement = {
  sql: `SELECT t.name, k."from", k."table", k.on_delete
    FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'`,
  args: [],
};

/** Reads the schema from the database itself, whatever made it. */
async function readSchema(database: Database): Promise<Schema> {
  const read = async (statement: Statement) =>
    (await database.run(statement)).rows.map((row) => row.map(String));
  const schema = new Map(
    (await read(TABLES)).map(([table = ""]) => [table, new Map<string, string>()]),
  );
  const add = (table: string, [name, fact]: Fact) => schema.get(table)?.set(name, fact);
  for (const [table = "", column = "", type = "", required, key] of await read(COLUMNS)) {
    add(table, columnFact(column, type, required === "1", key !== "0"));
  }
  const indexed = new Map<string, { table: string; isUnique: boolean; columns: string[] }>();
  for (const [table = "", index = "", unique, column = ""] of await read(INDEXES)) {
    const known = indexed.get(index) ?? { table, isUnique: unique === "1", columns: [] };
    known.columns.push(column);
    indexed.set(index, known);
  }
  for (const [index, { table, isUnique, columns }] of indexed) {
    add(table, indexFact(index, columns, isUnique));
  }
  for (const [table = "", column = "", target = "", onDelete = ""] of await read(FOREIGN_KEYS)) {
    add(table, foreignKeyFact(column, target, onDelete));
  }
  for (const [table = "", trigger = ""] of await read(TRIGGERS)) {
    add(table, triggerFact(trigger));
  }
  return schema;
}

type Fact = readonly [name: string, fact: string];

/** Describes a column. SQLite ignores the length of a type, and no key here is null. */
function columnFact(name: string, type: string, isRequired: boolean, isKey: boolean): Fact {
  const stored = type.toLowerCase().replace(/\s*\(.*\)$/, "");
  const rule = isKey ? "primary key" : isRequired ? "required" : "optional";
  return [`column ${JSON.stringify(name)}`, `${stored}, ${rule}`];
}

function indexFact(name: string, columns: readonly string[], isUnique: boolean): Fact {
  return [`index ${JSON.stringify(name)}`, `${isUnique ? "unique " : ""}on ${columns.join(", ")}`];
}

function foreignKeyFact(column: string, table: string, onDelete: string): Fact {
  return [
    `foreign key of ${JSON.stringify(column)}`,
    `to ${table}, on delete ${onDelete.toLowerCase()}`,
  ];
}

function differencesOf(
  table: string,
  expected: Facts,
  present: Facts | undefined,
): readonly string[] {
  const where = `of table ${JSON.stringify(table)}`;
  if (!present) return [`table ${JSON.stringify(table)} is missing`];
  return [
    ...[...expected].flatMap(([name, fact]) => {
      const found = present.get(name);
      if (found === undefined) return [`${name} ${where} is missing: ${fact}`];
      return found === fact ? [] : [`${name} ${where} is ${found}, and should be ${fact}`];
    }),
    // A later migration may rebuild the table and would lose unknown triggers. Unknown indexes do no harm.
    ...[...present.keys()].filter((name) => !expected.has(name) && !name.startsWith("index "))
      .map((name) => `${name} ${where} is not expected`),
  ];
}
