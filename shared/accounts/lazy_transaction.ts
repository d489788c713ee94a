/**
 * A write transaction that begins with its first write. The library hashes passwords and reads inside its transactions, and
 * must not hold the database's only writer meanwhile.
 */
import type { Database, Reader, Transaction } from "../runtime/ports.ts";

/** Access to the database: directly, or within an open transaction. */
export interface Access {
  reader(): Promise<Reader>;
  write<T>(body: (transaction: Transaction) => Promise<T>): Promise<T>;
}

interface Begun {
  readonly transaction: Transaction;
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

/** Returns access in which every write is a transaction of its own. */
export function directAccess(database: Database): Access {
  return {
    reader: () => Promise.resolve(database),
    write: (body) => database.write(body),
  };
}

/** Runs `body` with access in which either all writes are kept or none. */
export async function inTransaction<T>(
  database: Database,
  body: (access: Access) => Promise<T>,
): Promise<T> {
  let begun: Promise<Begun> | null = null;
  const access: Access = {
    reader: async () => begun === null ? database : (await begun).transaction,
    write: async (write) => write((await (begun ??= begin(database))).transaction),
  };
  let result: T;
  try {
    result = await body(access);
  } catch (error) {
    await settled(begun, (open) => open.rollBack());
    throw error;
  }
  await settled(begun, (open) => open.commit());
  return result;
}

async function settled(
  begun: Promise<Begun> | null,
  end: (open: Begun) => Promise<void>,
): Promise<void> {
  if (begun !== null) await end(await begun);
}

async function begin(database: Database): Promise<Begun> {
  const opened = Promise.withResolvers<Transaction>();
  const decision = Promise.withResolvers<"commit" | "rollBack">();
  const done = database.write(async (transaction) => {
    opened.resolve(transaction);
    if (await decision.promise === "rollBack") throw new RolledBack();
  });
  done.catch(opened.reject);
  return {
    transaction: await opened.promise,
    commit() {
      decision.resolve("commit");
      return done;
    },
    rollBack() {
      decision.resolve("rollBack");
      return done.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    },
  };
}

/** Thrown to make the database undo a transaction. It is caught in this file. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
}
