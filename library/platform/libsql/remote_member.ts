/** One write on its way to a server, with the statements that its body waits for. */
import type { ResultSet, Statement, Transaction } from "../../../shared/runtime/ports.ts";

/** Statements of one call, which are answered together. */
export interface Ask {
  readonly statements: readonly Statement[];
  resolve(results: readonly ResultSet[]): void;
  reject(error: unknown): void;
}

/** Calls to be sent next, and savepoints that are set or rolled back to between them. */
export type Item =
  | { readonly kind: "ask"; readonly ask: Ask }
  | { readonly kind: "mark" | "rewind"; readonly statement: Statement };

/** Result of a body. `settle` answers its caller after the commit. */
interface Outcome {
  readonly kept: boolean;
  settle(): void;
}

export interface Member {
  /** Calls without an answer. */
  items: Item[];
  /** True when the body has declared its calls the last ones. `apart`: they affect nothing else. */
  conclusion: "yes" | "apart" | null;
  /** True when the write commits alone. */
  readonly isAlone: boolean;
  /** True after it was committed or rolled back. Further calls are refused. */
  isOver: boolean;
  /** Null while the body runs. */
  readonly outcome: Outcome | null;
  /** Resolves when the body has ended, or has made all calls of one turn. */
  pause(): Promise<void>;
  /** Fails the write. Its caller gets the error, even if the body catches it. */
  fail(error: unknown): void;
}

/** Waits for the end of the turn of the event loop, so that all calls of one turn travel together. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Starts the body. The promise belongs to its caller and settles when the group decides. */
export function startMember<T>(
  body: (transaction: Transaction) => Promise<T>,
  isAlone = false,
): { readonly member: Member; readonly answered: Promise<T> } {
  const answered = Promise.withResolvers<T>();
  let outcome: Outcome | null = null;
  let changed = Promise.withResolvers<void>();
  let marks = 0;
  const member: Member = {
    items: [],
    conclusion: null,
    isAlone,
    isOver: false,
    get outcome() {
      return outcome;
    },
    async pause() {
      while (outcome === null && !member.items.some(({ kind }) => kind === "ask")) {
        await changed.promise;
        changed = Promise.withResolvers();
      }
      await turn();
    },
    fail(error) {
      member.isOver = true;
      for (const item of member.items.splice(0)) if (item.kind === "ask") item.ask.reject(error);
      answered.reject(error);
    },
  };
  const runAll = (statements: readonly Statement[]) =>
    new Promise<readonly ResultSet[]>((resolve, reject) => {
      if (member.isOver || outcome !== null) throw new Error("The transaction is over");
      if (statements.length === 0) return resolve([]);
      member.items.push({ kind: "ask", ask: { statements, resolve, reject } });
      changed.resolve();
    });
  const control = (kind: "mark" | "rewind", sql: string) =>
    void member.items.push({ kind, statement: { sql, args: [] } });
  const transaction: Transaction = {
    writable: true,
    run: async (statement) => {
      const [only] = await runAll([statement]);
      if (!only) throw new Error("The server answered without a result");
      return only;
    },
    runAll,
    line: {
      mark() {
        marks += 1;
        control("mark", `SAVEPOINT part_${marks}`);
        return marks;
      },
      rewind: (mark) => control("rewind", `ROLLBACK TO part_${mark}`),
      conclude: (how) => void (member.conclusion = how ?? "yes"),
    },
  };
  const end = (ended: Outcome) => {
    outcome = ended;
    changed.resolve();
  };
  started(body, transaction).then(
    (value) => end({ kept: true, settle: () => answered.resolve(value) }),
    (error: unknown) => end({ kept: false, settle: () => answered.reject(error) }),
  );
  return { member, answered: answered.promise };
}

async function started<T>(
  body: (transaction: Transaction) => Promise<T>,
  transaction: Transaction,
): Promise<T> {
  return await body(transaction);
}

/** True when the commit may travel with the member's calls. */
export function isConcluding({ conclusion }: Member): boolean {
  return conclusion !== null;
}
