/** What becomes of a job's writes when the database ends their transaction for others (definitions 8, `TRANSACTION_MAX_MS`). */
import { assertEquals, assertRejects } from "@std/assert";
import { systemTimer } from "../../../library/platform/mod.ts";
import { lateTransaction } from "../../../shared/runtime/background/late_transaction.ts";
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";
import { limitedDriver } from "../../support/databases.ts";

const insert = (value: string) => ({ sql: "INSERT INTO a VALUES (?)", args: [value] });
const LIMITS = { readMs: 1000, statementMs: 1000, transactionMs: 200 };

Deno.test("a transaction that was ended for others can be rolled back, and leaves nothing", () =>
  limitedDriver(LIMITS).with(async (database) => {
    await database.migrate([{ sql: "CREATE TABLE a (b TEXT)", args: [] }]);
    const late = lateTransaction({ database, timer: systemTimer, watching: null });
    await late.transaction.run(insert("late"));
    await database.write((transaction) => transaction.run(insert("other")));
    await assertRejects(() => late.transaction.run(insert("later")), DatabaseUnavailableError);
    await late.rollBack();
    const { rows } = await database.run({ sql: "SELECT b FROM a", args: [] });
    assertEquals(rows, [["other"]]);
  }));

Deno.test("a transaction that was ended for others cannot be committed", () =>
  limitedDriver(LIMITS).with(async (database) => {
    await database.migrate([{ sql: "CREATE TABLE a (b TEXT)", args: [] }]);
    const late = lateTransaction({ database, timer: systemTimer, watching: null });
    await late.transaction.run(insert("late"));
    await database.write((transaction) => transaction.run(insert("other")));
    await assertRejects(() => late.commit(() => Promise.resolve()), DatabaseUnavailableError);
    const { rows } = await database.run({ sql: "SELECT b FROM a", args: [] });
    assertEquals(rows, [["other"]]);
  }));
