/** One write on its way to a server: what its body has asked and waits for. */
import type { ResultSet, Statement, Transaction } from "../../../shared/runtime/ports.ts";

/** Statements of one call, answered together. */
export interface Ask {
  readonly statements: readonly Statement[];
  resolve(results: readonly ResultSet[]): void;
  reject(error: unknown): void;
}

/** Calls that travel next, and marks set or gone back to between them. */
export type Item =
  | { readonly kind: "ask"; readonly ask: Ask }
  | { readonly kind: "mark" | "rewind"; readonly statement: Statement };

/** Result of a body: `settle` answers its caller, once the commit has succeeded. */
interface Outcome {
  readonly kept: boolean;
  settle(): void;
}

export interface Member {
  /** Asked, and not answered. */
  items: Item[];
  /** The body has said that its items are its last. */
  conclusion: "yes" | "apart" | null;
  /** It commits alone. */
  readonly isAlone: boolean;
  /** Nothing more is taken: it was committed or undone. */
  isOver: boolean;
  /** Null: the body goes on. */
  readonly outcome: Outcome | null;
  /** Resolves when the body asks or has ended, and all that it asks at once is there. */
  pause(): Promise<void>;
  /** Ends it: its caller is told the error, whatever the body makes of it. */
  fail(error: unknown): void;
}

/** Ends with the turn of the loop: all that is asked in one travels together. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Starts the body; the promise is its caller's, and settles when whoever runs the member says so. */
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

/** True when the commit may travel with what it asks. */
export function isConcluding({ conclusion }: Member): boolean {
  return conclusion !== null;
}
