/** Parts of a transaction stand or fall by themselves, and with the part around them. */
import { assertEquals } from "@std/assert";
import { inSavepoint } from "../../../shared/runtime/data/within.ts";
import type { Transaction } from "../../../shared/runtime/ports.ts";
import { withDatabase } from "../../support/databases.ts";

const insert = (transaction: Transaction, name: string) =>
  transaction.run({ sql: "INSERT INTO words VALUES (?)", args: [name] });

/** Swallows what the part throws on purpose. */
async function failing(part: Promise<unknown>): Promise<void> {
  await part.catch(() => {});
}

Deno.test("a part that fails takes along what stood inside of it, and nothing before it", () =>
  withDatabase(async (database) => {
    await database.migrate([{ sql: "CREATE TABLE words (word text)", args: [] }]);
    await database.write(async (transaction) => {
      await insert(transaction, "before");
      await failing(inSavepoint(transaction, async () => {
        await insert(transaction, "outer");
        await inSavepoint(transaction, () => insert(transaction, "kept inside"));
        await failing(inSavepoint(transaction, async () => {
          await insert(transaction, "undone inside");
          throw new Error("inner");
        }));
        throw new Error("outer");
      }));
      await insert(transaction, "after");
    });
    const { rows } = await database.run({ sql: "SELECT word FROM words", args: [] });
    assertEquals(rows, [["before"], ["after"]]);
  }));
