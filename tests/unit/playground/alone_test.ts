/** Parts of the playground without a server: its database, its linked modules, and projects in addresses. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
// @ts-types="../../../cli/alone/sql_js.d.ts"
import initSqlite from "sql.js/dist/sql-wasm-inline.js";
import { linked } from "../../../cli/alone/linked_modules.ts";
import { openSqlite } from "../../../cli/alone/sqlite_database.ts";
import { linkedFiles, linkFragment } from "../../../playground/browser/alone/share_link.ts";
import { ConstraintError, type Database } from "../../../shared/runtime/mod.ts";

async function withDatabase(body: (database: Database) => Promise<void>): Promise<void> {
  const database = openSqlite(await initSqlite(), () => {});
  await database.migrate([
    { sql: "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)", args: [] },
    { sql: "CREATE TABLE b (id INTEGER PRIMARY KEY, a INTEGER REFERENCES a (id))", args: [] },
  ]);
  await body(database);
  await database.close();
}

const insert = (name: string | null) => ({
  sql: "INSERT INTO a (name) VALUES (?) RETURNING id, name",
  args: [name],
});

Deno.test("a write that throws leaves nothing, one that resolves is kept", () =>
  withDatabase(async (database) => {
    const { rows, columns, changes } = await database.write((write) => write.run(insert("x")));
    assertEquals([rows, columns, changes], [[[1, "x"]], ["id", "name"], 1]);
    const refused = database.write(async (write) => {
      await write.run(insert("y"));
      throw new Error("no");
    });
    await assertRejects(() => refused, Error, "no");
    const counted = await database.run({ sql: "SELECT count(*) FROM a", args: [] });
    assertEquals(counted.rows, [[1]]);
  }));

Deno.test("numbers beyond JavaScript's own stay what they are", () =>
  withDatabase(async (database) => {
    const { rows } = await database.run({
      sql: "SELECT 9007199254740993, ?, CAST(? AS INTEGER)",
      args: [1795449855393, 1795449855393],
    });
    assertEquals(rows, [[9007199254740993n, 1795449855393, 1795449855393]]);
  }));

const REFUSED = [
  [insert(null), "notNull", ["a.name"]],
  [insert("x"), "unique", ["a.name"]],
  [{ sql: "INSERT INTO b (a) VALUES (7)", args: [] }, "foreignKey", []],
] as const;

for (const [statement, kind, subjects] of REFUSED) {
  Deno.test(`a ${kind} constraint is told by its kind`, () =>
    withDatabase(async (database) => {
      await database.write((write) => write.run(insert("x")));
      const refused = () => database.write((write) => write.run(statement));
      const error: unknown = await refused().catch((thrown: unknown) => thrown);
      assert(error instanceof ConstraintError);
      assertEquals([error.kind, error.subjects], [kind, subjects]);
    }));
}

Deno.test("modules are linked once, in circles too, and by the import map", () => {
  const texts = {
    "src/a.ts":
      'exports.b = require("./b.ts"); exports.name = "a"; exports.known = require("named");',
    "src/b.ts": 'exports.a = require("./a.ts"); exports.zod = require("zod").z;',
    "src/named.ts": "module.exports = { is: 1 };",
  };
  const known = { zod: { z: 2 } };
  const a = linked("src/a.ts", { texts, known, imports: { named: "./src/named.ts" } });
  const b = Object(a["b"]);
  assertEquals([a["name"], b.a === a, b.zod, a["known"]], ["a", true, 2, { is: 1 }]);
  const missing = { texts: { "src/a.ts": 'require("lodash")' }, known, imports: {} };
  assertThrows(() => linked("src/a.ts", missing), Error, '"lodash" is not there');
});

Deno.test("a project travels in an address, and nothing else is taken for one", async () => {
  const files = { "quickback/quickback.config.ts": "export default {};  // ä".repeat(50) };
  assertEquals(await linkedFiles(await linkFragment(files)), files);
  for (const text of ["", "#", "#project=", "#project=%%%", "#project=AAAA", "#other=1"]) {
    assertEquals(await linkedFiles(text), null, text);
  }
  assertEquals(await linkedFiles(await linkFragment({ a: "x".repeat(5 * 1024 * 1024) })), null);
});
