/**
 * Tells a busy server from one that hangs (it is paused, or the line drops packets). A hanging server does not even answer its
 * health route, so callers need not wait long for it.
 */
import { unreachableError } from "./driver_errors.ts";

export interface ServerWatch {
  /**
   * Runs a request with a signal that aborts when the server hangs or takes too long. While the server is known to hang,
   * nothing is sent, and `DatabaseUnavailableError` is thrown.
   */
  during<T>(request: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Stops asking the server. */
  close(): void;
}

/**
 * Interval of the timer. Silence is counted in turns of it, because a process that was paused, or whose clock jumped, has had
 * only one turn meanwhile.
 */
const TURN_MS = 250;
const TURNS_UNTIL_ASKED = 4;
const TURNS_UNTIL_SILENT = 12;
/** Most turns of a request to a server that answers others. */
const TURNS_MAX = 120;
/** Milliseconds that a caller waits for a silent server to return. Later callers ask again on another connection. */
const BACK_WAIT_MS = 500;
const BACK_MAX_MS = 2500;

interface UnderWay {
  readonly controller: AbortController;
  turns: number;
}

/** Watches a server. `health` is a URL that it answers without a database; any answer counts. */
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
    // A refused connection says as little as silence. The requests in progress fail by themselves.
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
