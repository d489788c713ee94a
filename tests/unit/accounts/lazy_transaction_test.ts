/** A transaction that begins with its first write, and keeps all of them or none. */
import { assertEquals, assertRejects } from "@std/assert";
import { directAccess, inTransaction } from "../../../shared/accounts/lazy_transaction.ts";
import type { Database, Reader, Transaction } from "../../../shared/runtime/ports.ts";
import { withDatabase } from "../../support/databases.ts";

const insert = (id: number) => (transaction: Transaction) =>
  transaction.run({ sql: "INSERT INTO t VALUES (?)", args: [id] });

async function ids(reader: Reader): Promise<readonly unknown[]> {
  return (await reader.run({ sql: "SELECT id FROM t ORDER BY id", args: [] })).rows.flat();
}

function withTable(body: (database: Database) => Promise<void>): Promise<void> {
  return withDatabase(async (database) => {
    await database.migrate([{ sql: "CREATE TABLE t (id INTEGER PRIMARY KEY)", args: [] }]);
    await body(database);
  });
}

Deno.test("inTransaction() keeps every write when the body succeeds, and shows them to its own reads", async () => {
  await withTable(async (database) => {
    const seen = await inTransaction(database, async (access) => {
      await access.write(insert(1));
      await access.write(insert(2));
      assertEquals(await ids(database), []);
      return await ids(await access.reader());
    });
    assertEquals([seen, await ids(database)], [[1, 2], [1, 2]]);
  });
});

Deno.test("inTransaction() keeps nothing when the body fails, and passes the failure on", async () => {
  await withTable(async (database) => {
    await assertRejects(
      () =>
        inTransaction(database, async (access) => {
          await access.write(insert(1));
          throw new RangeError("No");
        }),
      RangeError,
      "No",
    );
    assertEquals(await ids(database), []);
    await directAccess(database).write(insert(3));
    assertEquals(await ids(database), [3]);
  });
});

Deno.test("inTransaction() holds the writer only from its first write on", async () => {
  await withTable(async (database) => {
    await inTransaction(database, async (access) => {
      assertEquals(await ids(await access.reader()), []);
      await database.write(insert(1));
      await access.write(insert(2));
    });
    assertEquals(await ids(database), [1, 2]);
  });
});

Deno.test("inTransaction() begins once for writes that start together", async () => {
  await withTable(async (database) => {
    await inTransaction(database, async (access) => {
      await Promise.all([access.write(insert(1)), access.write(insert(2))]);
    });
    assertEquals(await ids(database), [1, 2]);
  });
});

Deno.test("inTransaction() fails when its commit does", async () => {
  const refusing: Database = {
    run: () => Promise.reject(new Error("unused")),
    runAll: () => Promise.reject(new Error("unused")),
    migrate: () => Promise.reject(new Error("unused")),
    close: () => Promise.resolve(),
    write: async (body) => {
      await body({
        writable: true,
        run: () => Promise.resolve({ rows: [], changes: 1 }),
        runAll: () => Promise.resolve([]),
      });
      throw new Error("Disk full");
    },
  };
  const written = inTransaction(refusing, (access) => access.write(insert(1)));
  await assertRejects(() => written, Error, "Disk full");
});
