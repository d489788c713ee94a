/**
 * Tells a server that works for long from one that holds still (paused, or behind a line that swallows): the second answers
 * nothing at all, not even that it is there. Its callers need not wait for as long as the first may take.
 */
import { unreachableError } from "./driver_errors.ts";

export interface ServerWatch {
  /**
   * Runs a request, whose signal is given when the server is found to hold still, or takes too long. While it is known to hold
   * still nothing is sent: throws `DatabaseUnavailableError`.
   */
  during<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops asking how the server is. */
  close(): void;
}

/**
 * Silence is counted in turns of a timer and not by a clock: a process that was itself paused, or has a clock that jumps, had
 * one turn meanwhile.
 */
const TURN_MS = 250;
const TURNS_UNTIL_ASKED = 4;
const TURNS_UNTIL_SILENT = 12;
/** Of a request to a server that answers others. */
const TURNS_MAX = 120;
/** How long a caller waits for a silent server to say that it is back; then it is asked again, on another connection later. */
const BACK_WAIT_MS = 500;
const BACK_MAX_MS = 2500;

interface UnderWay {
  readonly controller: AbortController;
  turns: number;
}

/** `health`: an address that the server answers without a database; any answer will do. */
export function watchServer(health: URL, turnMs: number = TURN_MS): ServerWatch {
  const underWay = new Set<UnderWay>();
  let timer: ReturnType<typeof setInterval> | undefined;
  let silentTurns = 0;
  let isSilent = false;
  let askedAt = -Infinity;
  let asking: { readonly controller: AbortController; readonly done: Promise<void> } | null = null;

  const answered = () => {
    silentTurns = 0;
    isSilent = false;
  };
  const ask = () => {
    if (asking !== null) return asking;
    askedAt = performance.now();
    const controller = new AbortController();
    // One that refuses says as little as one that is silent: what is under way there fails by itself.
    const done = isThere(health, controller.signal)
      .then((is) => is ? answered() : undefined)
      .finally(() => asking = null);
    return asking = { controller, done };
  };
  const turn = () => {
    silentTurns += 1;
    if (silentTurns >= TURNS_UNTIL_ASKED) ask();
    if (silentTurns >= TURNS_UNTIL_SILENT) isSilent = true;
    for (const one of underWay) {
      one.turns += 1;
      if (isSilent) one.controller.abort(new Error("The server holds still"));
      else if (one.turns >= TURNS_MAX) one.controller.abort(new Error("The server takes too long"));
    }
  };
  const waitForReturn = async () => {
    if (asking === null && performance.now() - askedAt < BACK_WAIT_MS) return;
    const { controller, done } = ask();
    const late = Promise.withResolvers<void>();
    const wait = setTimeout(late.resolve, BACK_WAIT_MS);
    await Promise.race([done, late.promise]);
    clearTimeout(wait);
    if (performance.now() - askedAt >= BACK_MAX_MS) controller.abort();
  };
  return {
    async during(request) {
      if (isSilent) await waitForReturn();
      if (isSilent) throw unreachableError(new Error("The server holds still"));
      const own: UnderWay = { controller: new AbortController(), turns: 0 };
      if (underWay.size === 0) {
        silentTurns = 0;
        timer = setInterval(turn, turnMs);
      }
      underWay.add(own);
      try {
        const answer = await request(own.controller.signal);
        answered();
        return answer;
      } finally {
        underWay.delete(own);
        if (underWay.size === 0) {
          clearInterval(timer);
          asking?.controller.abort();
        }
      }
    },
    close: () => asking?.controller.abort(),
  };
}

async function isThere(health: URL, signal: AbortSignal): Promise<boolean> {
  try {
    const answer = await fetch(health, { signal });
    await answer.body?.cancel();
    return true;
  } catch (error) {
    if (error instanceof TypeError || signal.aborted) return false;
    throw error;
  }
}
