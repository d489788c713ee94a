/** Implements the `Database` port over SQLite in WebAssembly: one connection in memory, writes one after the other. */
import { brokenConstraint, constraintSubjects } from "../../shared/lib/sql_text.ts";
import type { NativeDatabase as Native, Sqlite } from "./sql_js.d.ts";
import {
  ConstraintError,
  type Database,
  type MigrationStep,
  type ResultSet,
  type SqlValue,
  type Statement,
  UnstorableTextError,
} from "../../shared/runtime/mod.ts";

/** Receives each statement that ran. */
export type OnStatement = (statement: Statement, rows: number, milliseconds: number) => void;

/** Opens an empty database; its content is lost with the page. */
export function openSqlite(sqlite: Sqlite, onStatement: OnStatement): Database {
  const native = new sqlite.Database();
  native.exec("PRAGMA foreign_keys = ON");
  const run = (statement: Statement) => {
    const since = performance.now();
    const result = ran(native, statement);
    onStatement(statement, result.rows.length || result.changes, performance.now() - since);
    return result;
  };
  // Reads run at once, even while a write is open, because the write's own code may need them. With one connection they see its
  // uncommitted changes. That matters only if two visitors of one tab send requests within the same milliseconds.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T> | T): Promise<T> => {
    const own = turn.then(work);
    turn = own.catch(() => null);
    return own;
  };
  return {
    run: (statement) => Promise.try(() => run(statement)),
    runAll: (statements) => Promise.try(() => statements.map(run)),
    write: (body) =>
      inTurn(() =>
        kept(native, async () => {
          let isOpen = true;
          const asked = (statement: Statement) => {
            if (!isOpen) throw new Error("The transaction is over");
            return run(statement);
          };
          try {
            return await body({
              writable: true,
              run: (statement) => Promise.try(() => asked(statement)),
              runAll: (statements) => Promise.try(() => statements.map(asked)),
            });
          } finally {
            isOpen = false;
          }
        })
      ),
    migrate: (steps) => inTurn(() => migrate(native, steps)),
    close: () => inTurn(() => native.close()),
  };
}

/** Commits the changes of `body`, or undoes them. */
async function kept<T>(native: Native, body: () => Promise<T>): Promise<T> {
  native.exec("BEGIN IMMEDIATE");
  try {
    const result = await body();
    translated(() => native.exec("COMMIT"));
    return result;
  } catch (error) {
    native.exec("ROLLBACK");
    throw error;
  }
}

async function migrate(native: Native, steps: readonly MigrationStep[]): Promise<void> {
  native.exec("PRAGMA foreign_keys = OFF");
  try {
    await kept(native, async () => {
      for (const step of steps) {
        if (typeof step === "function") {
          await step({
            writable: true,
            run: (statement) => Promise.try(() => ran(native, statement)),
            runAll: (statements) => Promise.try(() => statements.map((one) => ran(native, one))),
          });
        } else if (step.args.length > 0) {
          ran(native, step);
        } else {
          translated(() => native.exec(step.sql));
        }
      }
      const dangling = ran(native, { sql: "PRAGMA foreign_key_check", args: [] }).rows;
      if (dangling.length === 0) return;
      throw new ConstraintError("foreignKey", [
        ...new Set(dangling.map(([table]) => String(table))),
      ]);
    });
  } finally {
    native.exec("PRAGMA foreign_keys = ON");
  }
}

function ran(native: Native, { sql, args, isSingle = false }: Statement): ResultSet {
  return translated(() => {
    const statement = native.prepare(sql);
    try {
      statement.bind(args.map(bound));
      const rows: SqlValue[][] = [];
      while (statement.step()) {
        rows.push(statement.get(null, { useBigInt: true }).map(cellOf));
        if (isSingle) break;
      }
      const columns = statement.getColumnNames();
      return columns.length === 0
        ? { rows: [], changes: native.getRowsModified() }
        : { rows, columns, changes: /\breturning\b/i.test(sql) ? rows.length : 0 };
    } finally {
      statement.free();
    }
  });
}

function cellOf(cell: unknown): SqlValue {
  if (typeof cell === "bigint") return Number.isSafeInteger(Number(cell)) ? Number(cell) : cell;
  if (cell === null || typeof cell === "string" || typeof cell === "number") return cell;
  if (cell instanceof Uint8Array) return cell;
  throw new TypeError(`The driver returned a ${typeof cell}`);
}

/** Converts a value for the driver, which binds big integers as text; SQLite converts them to numbers in a numeric column. */
function bound(value: SqlValue) {
  if (typeof value !== "string" || !value.includes("\0")) return value;
  throw new UnstorableTextError();
}

/** Translates errors of the driver, which have only a text. */
function translated<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const kind = brokenConstraint(error.message);
    if (kind === null) throw error;
    throw new ConstraintError(kind, constraintSubjects(error.message), { cause: error });
  }
}
