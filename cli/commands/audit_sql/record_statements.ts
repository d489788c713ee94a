/** Records every statement that a database runs, with its answer and its transaction. */
import type { RecordedStatement } from "../../../proof/audit/statement_record.ts";
import type { Database, ResultSet, Statement } from "../../../shared/runtime/mod.ts";

export interface Recorder {
  wrap(database: Database): Database;
  /** Returns everything recorded since the last call. */
  taken(): readonly RecordedStatement[];
}

/** Wraps databases in a port that records their statements and answers. */
export function recordStatements(): Recorder {
  let kept: RecordedStatement[] = [];
  let transactions = 0;
  const note: Note = ({ sql, args, beyondScope }, transaction, result) => {
    const { rows = [], changes = 0 } = result ?? {};
    const mark = beyondScope === undefined ? {} : { beyondScope };
    kept.push({ sql, args, ...mark, transaction, rows, changes });
  };
  return {
    wrap: (database) => ({
      ...readerOver(database, null, note),
      write: (body, options) =>
        database.write((transaction) => {
          transactions += 1;
          return body({ ...readerOver(transaction, transactions, note), writable: true });
        }, options),
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

/** Records a statement. Without a result, the database refused it. */
type Note = (statement: Statement, transaction: number | null, result: ResultSet | null) => void;

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
