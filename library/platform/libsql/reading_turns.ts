/**
 * Turns for reads beside the event loop (docs/decisions/reads.md). A number of reads run at once, others wait in line, and no
 * tenant has more than half of the turns while others wait.
 */
import { DatabaseUnavailableError } from "../../../shared/runtime/ports.ts";

export interface ReadingTurns {
  /** Runs a read in a turn of the tenant `name`. Throws `DatabaseUnavailableError` if the line is full. */
  take<T>(name: string, read: () => Promise<T>): Promise<T>;
}

/** Milliseconds that a statement may take, from the start of its execution (definitions 8, `STATEMENT_TIMEOUT_MS`). */
export interface StatementLimits {
  /** Limit of a caller's read. */
  readonly readMs: number;
  readonly statementMs: number;
  /** Limit of a transaction of authored code while others wait for it. */
  readonly transactionMs: number;
}

/** Most waiting reads. */
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
    // A tenant that waits alone may have all turns.
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
