/**
 * A process to be killed: `tireless_writer.ts <path>` writes numbered rows, several at once, and says each number once
 * its write is acknowledged. Before that it says `busy` for a write that met another process's lock.
 */
import { DatabaseBusyError, openDatabase } from "../../library/platform/mod.ts";

const database = await openDatabase({ url: `file:${Deno.args[0] ?? ""}`, busyTimeout: 20 });
let number = 0;

async function writeNext(): Promise<void> {
  const own = number++;
  await database.write((transaction) =>
    transaction.run({ sql: "INSERT INTO entries VALUES (?)", args: [own] })
  );
  console.log(String(own));
}

async function writeOn(): Promise<never> {
  for (;;) {
    try {
      await writeNext();
    } catch (error) {
      if (!(error instanceof DatabaseBusyError)) throw error;
      console.log("busy");
    }
  }
}

await Promise.all([writeOn(), writeOn(), writeOn()]);
