/** A database that keeps what it is sent and what it answers. */
import type { RecordedStatement } from "../../../proof/audit/statement_record.ts";
import type { Database, ResultSet, Statement, Transaction } from "../../../shared/runtime/mod.ts";

export interface Recorder {
  wrap(database: Database): Database;
  /** Everything since it was asked last. */
  taken(): readonly RecordedStatement[];
}

export function newRecorder(): Recorder {
  let kept: RecordedStatement[] = [];
  let transactions = 0;
  const note: Note = (statement, transaction, result) => {
    const { sql, args } = statement;
    const { rows = [], changes = 0 } = result ?? {};
    kept.push({ sql, args, transaction, rows, changes });
  };
  return {
    wrap: (database) => ({
      ...readerOver(database, null, note),
      write: (body) =>
        database.write((transaction) => {
          transactions += 1;
          return body(transactionOver(transaction, transactions, note));
        }),
      migrate: (statements) => database.migrate(statements),
      close: () => database.close(),
    }),
    taken() {
      const all = kept;
      kept = [];
      return all;
    },
  };
}

/** Without a result: the database refused it. */
type Note = (statement: Statement, transaction: number | null, result: ResultSet | null) => void;

function transactionOver(transaction: Transaction, number: number, note: Note): Transaction {
  return { ...readerOver(transaction, number, note), writable: true };
}

function readerOver(
  reader: Pick<Database, "run" | "runAll">,
  transaction: number | null,
  note: Note,
): Pick<Database, "run" | "runAll"> {
  return {
    async run(statement) {
      const result = await noted(
        () => reader.run(statement),
        () => note(statement, transaction, null),
      );
      note(statement, transaction, result);
      return result;
    },
    async runAll(statements) {
      const results = await noted(() => reader.runAll(statements), () => {
        for (const statement of statements) note(statement, transaction, null);
      });
      statements.forEach((statement, at) => note(statement, transaction, results[at] ?? null));
      return results;
    },
  };
}

async function noted<T>(run: () => Promise<T>, onRefused: () => void): Promise<T> {
  try {
    return await run();
  } catch (error) {
    onRefused();
    throw error;
  }
}
