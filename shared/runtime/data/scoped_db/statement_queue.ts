/**
 * The one transaction of an action as its handler uses it: one statement at a time, nested savepoints, and nothing any
 * more once the action is over (contract 4.4).
 */
import type { ResultSet, Statement, Transaction } from "../../ports.ts";
import { changeLogOf } from "../changes/change_log.ts";

export interface StatementQueue {
  /** Waits for everything asked for before. */
  run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;
  /** Runs `body` in a savepoint: its writes are kept or undone together. */
  nested<T>(body: () => Promise<T>): Promise<T>;
  /** Lets what was begun finish; refuses everything after. */
  close(): Promise<void>;
}

export function statementQueue(transaction: Transaction): StatementQueue {
  const savepoints: string[] = [];
  let made = 0;
  let last: Promise<unknown> = Promise.resolve();
  let broken: string | null = null;
  const run = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> => {
    const result = last.then(() => {
      if (broken !== null) throw new Error(broken);
      return work(transaction);
    });
    last = result.catch(() => undefined);
    return result;
  };
  const say = (sql: string): Promise<ResultSet> => run((open) => open.run({ sql, args: [] }));
  const leave = async (name: string, statements: readonly Statement["sql"][]): Promise<void> => {
    if (savepoints.pop() !== name) {
      broken = "Two transactions of one action overlap: await each before the next begins";
      throw new Error(broken);
    }
    for (const sql of statements) await say(sql);
  };
  return {
    run,
    async nested(body) {
      made += 1;
      const name = `nested_${made}`;
      savepoints.push(name);
      await say(`SAVEPOINT ${name}`);
      const changes = changeLogOf(transaction);
      const mark = changes?.mark() ?? 0;
      let value;
      try {
        value = await body();
      } catch (error) {
        changes?.rewind(mark);
        await leave(name, [`ROLLBACK TO ${name}`, `RELEASE ${name}`]);
        throw error;
      }
      await leave(name, [`RELEASE ${name}`]);
      return value;
    },
    async close() {
      await last;
      broken ??= "The action is over: await every statement inside the handler";
    },
  };
}
