/** One suite for every driver behind the `Database` port. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  ConstraintError,
  type Database,
  type Statement,
  UnstorableTextError,
} from "../../../shared/runtime/ports.ts";
import { openDatabase } from "../../../library/platform/mod.ts";
import { withTempFolder } from "../../support/temp_folder.ts";
import { DRIVERS } from "../../support/databases.ts";

const sql = (text: string, ...args: Statement["args"]): Statement => ({ sql: text, args });

const SCHEMA = [
  sql("CREATE TABLE parent (id text PRIMARY KEY NOT NULL, name text NOT NULL, size integer)"),
  sql(
    "CREATE TABLE child (id text PRIMARY KEY NOT NULL, parent_id text REFERENCES parent(id) ON DELETE CASCADE, CHECK (id <> 'bad'))",
  ),
  sql("CREATE UNIQUE INDEX parent_name ON parent (name, size)"),
];

function suite(sentence: string, body: (database: Database) => Promise<void>): void {
  for (const driver of DRIVERS) {
    Deno.test(`${driver.name} database ${sentence}`, () =>
      driver.with(async (database) => {
        await database.migrate(SCHEMA);
        await body(database);
      }));
  }
}

async function countOf(database: Database, table: string): Promise<unknown> {
  return (await database.run(sql(`SELECT count(*) FROM ${table}`))).rows[0]?.[0];
}

Deno.test("a transaction of some megabytes writes each page that it changes once", () =>
  withTempFolder(async (folder) => {
    const database = await openDatabase({ url: `file:${folder}/test.db` });
    await database.migrate([
      sql("CREATE TABLE entries (id text PRIMARY KEY, body text) WITHOUT ROWID"),
    ]);
    // Scattered keys change most pages from the beginning to the end of it.
    const entries = sql(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 16000)
      INSERT INTO entries SELECT hex(randomblob(16)), printf('%300d', i) FROM n`,
    );
    const before = bytesWritten();
    await database.write((transaction) => transaction.run(entries));
    const written = bytesWritten() - before;
    const { rows: [[pages] = []] } = await database.run(sql("SELECT * FROM pragma_page_count"));
    await database.close();
    // Into the log, and from there into the file.
    assert(written < 2.2 * 4096 * Number(pages), `${written} bytes for ${pages} pages`);
  }));

/** By this process, as Linux counts. */
function bytesWritten(): number {
  return Number(/^wchar: (\d+)$/m.exec(Deno.readTextFileSync("/proc/self/io"))?.[1]);
}

Deno.test("a file and its log are their owner's alone, and so is the folder that is made for them", async () => {
  await withTempFolder(async (folder) => {
    const url = `file:${folder}/data/app.db`;
    for (const database of [await openDatabase({ url }), await openDatabase({ url })]) {
      await database.write((transaction) =>
        transaction.run(sql("CREATE TABLE IF NOT EXISTS t (a)"))
      );
      for (const name of ["", "/app.db", "/app.db-wal", "/app.db-shm"]) {
        assertEquals(((await Deno.stat(`${folder}/data${name}`)).mode ?? 0) & 0o077, 0, name);
      }
      await database.close();
    }
    // What its operator has opened to others stays so.
    await Deno.chmod(`${folder}/data/app.db`, 0o640);
    await (await openDatabase({ url })).close();
    assertEquals(((await Deno.stat(`${folder}/data/app.db`)).mode ?? 0) & 0o777, 0o640);
  });
});

suite("answers a statement again whose first row has failed before", async (database) => {
  await database.write((transaction) =>
    transaction.run(sql("INSERT INTO parent VALUES ('good', 'a', 1), ('bad', x'00ff', 2)"))
  );
  const ask = (id: string) =>
    database.run({
      ...sql("SELECT json_array(name) FROM parent WHERE id = ?", id),
      isSingle: true,
    });
  await assertRejects(() => ask("bad"), Error, "BLOB");
  assertEquals((await ask("good")).rows, [['["a"]']]);
});

suite("gives back every kind of value", async (database) => {
  const blob = new Uint8Array([0, 1, 255]);
  const { rows } = await database.run(
    sql("SELECT ?, ?, ?, ?, ?, ?, typeof(?), typeof(?)", "é", 1, 1.5, null, 2n ** 60n, -7, 3, 0.5),
  );
  assertEquals(rows, [["é", 1, 1.5, null, 2n ** 60n, -7, "integer", "real"]]);
  const back = (await database.run(sql("SELECT ?", blob))).rows[0]?.[0];
  assert(back instanceof Uint8Array);
  assertEquals([...back], [0, 1, 255]);
});

suite("refuses values that SQLite cannot hold", async (database) => {
  for (const value of [NaN, Infinity, 2n ** 64n]) {
    await assertRejects(() => database.run(sql("SELECT ?", value)), TypeError, "A bound value");
  }
  await assertRejects(() => database.run(sql("SELECT ?", "a\0b")), UnstorableTextError);
});

suite("counts changes with and without RETURNING", async (database) => {
  const changes = await database.write(async (transaction) => {
    const plain = await transaction.run(sql("INSERT INTO parent VALUES ('a','a',1),('b','b',1)"));
    const returning = await transaction.run(sql("UPDATE parent SET size = 2 RETURNING id"));
    const read = await transaction.run(sql("SELECT id FROM parent"));
    return [plain.changes, returning.changes, returning.rows.length, read.changes];
  });
  assertEquals(changes, [2, 2, 2, 0]);
});

suite("shows a write to others only once it is committed", async (database) => {
  await database.write(async (transaction) => {
    await transaction.run(sql("INSERT INTO parent VALUES ('a','a',1)"));
    assertEquals(await countOf(database, "parent"), 0);
    assertEquals((await transaction.run(sql("SELECT count(*) FROM parent"))).rows, [[1]]);
  });
  assertEquals(await countOf(database, "parent"), 1);
});

suite("keeps nothing of a write that throws", async (database) => {
  const refusal = new Error("No");
  const thrown = await assertRejects(() =>
    database.write(async (transaction) => {
      await transaction.run(sql("INSERT INTO parent VALUES ('a','a',1)"));
      throw refusal;
    })
  );
  assertEquals(thrown, refusal);
  assertEquals(await countOf(database, "parent"), 0);
});

suite("keeps the good ones of writes that wait together", async (database) => {
  const results = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      database.write(async (transaction) => {
        await transaction.run(sql("INSERT INTO parent VALUES (?,?,1)", `p${index}`, `p${index}`));
        if (index % 2 === 1) throw new Error("odd");
        return index;
      })),
  );
  assertEquals(results.filter((result) => result.status === "fulfilled").length, 10);
  const { rows } = await database.run(sql("SELECT id FROM parent ORDER BY rowid"));
  assertEquals(rows, Array.from({ length: 10 }, (_, index) => [`p${index * 2}`]));
});

suite("goes on with a write after a refused statement in it", async (database) => {
  await database.write(async (transaction) => {
    await transaction.run(sql("INSERT INTO parent VALUES ('a','a',1)"));
    await assertRejects(
      () => transaction.run(sql("INSERT INTO parent VALUES ('a','b',1)")),
      ConstraintError,
    );
    await transaction.run(sql("INSERT INTO parent VALUES ('b','b',1)"));
  });
  assertEquals(await countOf(database, "parent"), 2);
});

suite("refuses a transaction that is over", async (database) => {
  const leaked = await database.write((transaction) => Promise.resolve(transaction));
  await assertRejects(
    () => leaked.run(sql("DELETE FROM parent")),
    Error,
    "The transaction is over",
  );
});

const REFUSALS: readonly (readonly [string, string, readonly string[]])[] = [
  ["INSERT INTO parent VALUES ('a','z',1)", "primaryKey", ["parent.id"]],
  ["INSERT INTO parent VALUES ('z','a',1)", "unique", ["parent.name", "parent.size"]],
  ["INSERT INTO parent VALUES ('z',NULL,1)", "notNull", ["parent.name"]],
  ["INSERT INTO child VALUES ('z','none')", "foreignKey", []],
  ["INSERT INTO child VALUES ('bad','a')", "check", ["id <> 'bad'"]],
];

suite("names the constraint that refused a write", async (database) => {
  await database.write((transaction) =>
    transaction.run(sql("INSERT INTO parent VALUES ('a','a',1)"))
  );
  for (const [text, kind, subjects] of REFUSALS) {
    const error = await assertRejects(() =>
      database.write((transaction) => transaction.run(sql(text)))
    );
    assert(error instanceof ConstraintError, text);
    assertEquals([error.kind, error.subjects], [kind, subjects]);
  }
});

suite("reads several statements of one call on one snapshot", async (database) => {
  const [first, second] = await database.runAll([sql("SELECT 1"), sql("SELECT ?", "two")]);
  assertEquals([first?.rows, second?.rows], [[[1]], [["two"]]]);
  assertEquals(await database.runAll([]), []);
  await assertRejects(() => database.runAll([sql("SELECT 1"), sql("SELECT nothing")]));
  assertEquals((await database.runAll([sql("SELECT 1"), sql("SELECT 2")])).length, 2);
});

suite("refuses writes outside a transaction in a batch of reads", async (database) => {
  await assertRejects(() =>
    database.runAll([sql("SELECT 1"), sql("INSERT INTO parent VALUES ('a','a',1)")])
  );
  assertEquals(await countOf(database, "parent"), 0);
});

suite("rebuilds a table without touching its children", async (database) => {
  await database.write(async (transaction) => {
    await transaction.run(sql("INSERT INTO parent VALUES ('a','a',1)"));
    await transaction.run(sql("INSERT INTO child VALUES ('c','a')"));
  });
  await database.migrate([
    sql("CREATE TABLE parent_new (id text PRIMARY KEY NOT NULL, name text NOT NULL)"),
    sql("INSERT INTO parent_new SELECT id, name FROM parent"),
    sql("DROP TABLE parent"),
    sql("ALTER TABLE parent_new RENAME TO parent"),
  ]);
  assertEquals(await countOf(database, "child"), 1);
  await database.write((transaction) => transaction.run(sql("DELETE FROM parent")));
  assertEquals(await countOf(database, "child"), 0);
});

suite("refuses a migration that leaves a foreign key pointing nowhere", async (database) => {
  await database.write(async (transaction) => {
    await transaction.run(sql("INSERT INTO parent VALUES ('a','a',1)"));
    await transaction.run(sql("INSERT INTO child VALUES ('c','a')"));
  });
  await assertRejects(
    () => database.migrate([sql("DELETE FROM parent")]),
    ConstraintError,
    "Constraint foreignKey",
  );
  assertEquals([await countOf(database, "parent"), await countOf(database, "child")], [1, 1]);
});

suite("keeps nothing of a migration that fails half way", async (database) => {
  await assertRejects(() =>
    database.migrate([sql("CREATE TABLE extra (id text)"), sql("CREATE TABLE parent (id text)")])
  );
  await assertRejects(() => countOf(database, "extra"));
});
