/**
 * Turns of what is read beside the event loop (docs/decisions/reads.md): so many at once, a line for the others, and nobody
 * holds more than half while others wait.
 */
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";

export interface ReadingTurns {
  /** Runs it in the turn of whom `name` names. Throws `DatabaseUnavailableError` where the line is full. */
  take<T>(name: string, read: () => Promise<T>): Promise<T>;
}

/** Milliseconds that a statement may take, from the start of its execution (definitions 8, `STATEMENT_TIMEOUT_MS`). */
export interface StatementLimits {
  /** Of what a caller reads. */
  readonly readMs: number;
  readonly statementMs: number;
  /** That a transaction of authored code may last while others wait for it. */
  readonly transactionMs: number;
}

/** Reads that wait. */
const LINE_MAX = 100;
const RETRY_AFTER_S = 1;

interface Waiting {
  readonly name: string;
  begin(): void;
}

export function readingTurns(size: number): ReadingTurns {
  const half = Math.ceil(size / 2);
  const held = new Map<string, number>();
  const line: Waiting[] = [];
  let taken = 0;
  const hold = (name: string, by: 1 | -1) => {
    taken += by;
    const count = (held.get(name) ?? 0) + by;
    if (count === 0) held.delete(name);
    else held.set(name, count);
  };
  const next = () => {
    if (taken >= size || line.length === 0) return;
    const fair = line.findIndex(({ name }) => (held.get(name) ?? 0) < half);
    const others = line.some(({ name }) => name !== line[0]?.name);
    // Whoever waits alone may have all.
    const at = fair === -1 && !others ? 0 : fair;
    const [chosen] = at === -1 ? [] : line.splice(at, 1);
    if (!chosen) return;
    hold(chosen.name, 1);
    chosen.begin();
    next();
  };
  return {
    async take(name, read) {
      if (line.length >= LINE_MAX) {
        throw new DatabaseUnavailableError("Too many long reads wait", RETRY_AFTER_S);
      }
      await new Promise<void>((begin) => {
        line.push({ name, begin });
        next();
      });
      try {
        return await read();
      } finally {
        hold(name, -1);
        next();
      }
    },
  };
}
