/** Serves a fetch handler on a TCP port until the process is asked to end, and lets what is under way finish. */
import { clientIp } from "./client_ip.ts";
import { redactSpans } from "./request_spans.ts";
import type { Connection, Logger } from "../../shared/runtime/ports.ts";

export interface ServeOptions {
  readonly port: number;
  /** Address to bind; null: all of this machine's. */
  readonly hostname: string | null;
  /** The header in which a trusted reverse proxy names the client's address; null: there is none. */
  readonly clientIpHeader?: string | null;
  /** Logs the beginning and the end. */
  readonly logger: Logger;
  /** Runs when the port is its own. */
  readonly onListening?: () => void;
  readonly fetch: (request: Request, connection: Connection) => Promise<Response>;
  /** Runs when the server is asked to end: ends answers that go on by themselves. */
  readonly onEnding?: () => void;
  /** Time for requests and clients to finish then, before they are broken off. */
  readonly endingMaxMs?: number;
  /** Runs when the last answer is out, or broken off: closes what the handler needed, and has half a second more for it. */
  readonly onClosed: () => Promise<void>;
}

const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const RECEIVING_MAX_MS = 10_000;
/** Together less than the 15 s after which an API has ended, whatever clients do (definitions 7 "shutting down"). */
const ENDING_MAX_MS = 14_000;
const CLOSING_MAX_MS = 500;
/** For what the platform itself still has to do after everything is closed. */
const LEFT_MAX_MS = 300;
const END_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Resolves when the server has ended. A second signal ends the process at once, as the platform does by itself. */
export async function serve(options: ServeOptions): Promise<void> {
  const {
    port,
    hostname,
    clientIpHeader = null,
    logger,
    fetch,
    onListening,
    onEnding,
    onClosed,
    endingMaxMs = ENDING_MAX_MS,
  } = options;
  const late = Promise.withResolvers<"late">();
  const tooLate = Promise.withResolvers<"late">();
  const bounds: ReturnType<typeof setTimeout>[] = [];
  redactSpans();
  const address = hostname === null ? { port } : { port, hostname };
  const receiving = new Set<Promise<unknown>>();
  const onListen = (bound: Deno.NetAddr) => {
    onListening?.();
    logger.log({
      level: "info",
      message: `Listening on http://${
        bound.hostname.includes(":") ? `[${bound.hostname}]` : bound.hostname
      }:${bound.port}/`,
    });
  };
  const server = listened({ ...address, onListen }, (request, { remoteAddr }) => {
    const ip = clientIp(request.headers, { trustedHeader: clientIpHeader, remoteAddr });
    const upgrade = () => Deno.upgradeWebSocket(request);
    const answer = fetch(request, { clientIp: ip, upgrade });
    if (!BODILESS.has(request.method)) {
      receiving.add(answer);
      const done = () => receiving.delete(answer);
      answer.then(done, done);
    }
    return answer;
  });
  const end = () => {
    for (const signal of END_SIGNALS) Deno.removeSignalListener(signal, end);
    logger.log({ level: "info", message: "Ending: requests under way finish, others are refused" });
    onEnding?.();
    bounds.push(
      setTimeout(() => late.resolve("late"), endingMaxMs),
      setTimeout(() => tooLate.resolve("late"), endingMaxMs + CLOSING_MAX_MS),
    );
    // Turns later: what was just ended says why it ends, before the platform ends it without.
    setTimeout(async () => {
      await emptied(receiving);
      await server.shutdown();
    }, 0);
  };
  for (const signal of END_SIGNALS) Deno.addSignalListener(signal, end);
  const answered = await Promise.race([server.finished, late.promise]);
  const closed = await Promise.race([onClosed(), tooLate.promise]);
  for (const bound of bounds) clearTimeout(bound);
  if (answered !== "late" && closed !== "late") {
    // What authors left running, such as a timer of theirs, does not keep the process alive.
    Deno.unrefTimer(setTimeout(() => Deno.exit(0), LEFT_MAX_MS));
    return;
  }
  logger.log({ level: "warn", message: "Ended before every request was" });
  // Whatever a handler still has open in the database was not committed, and is undone.
  Deno.exit(0);
}

/** Refuses a place that is taken, or is none, in words for whoever set it. */
function listened(
  options: Deno.ServeTcpOptions & { readonly onListen: (bound: Deno.NetAddr) => void },
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve(options, handler);
  } catch (cause) {
    const { port, hostname = "0.0.0.0" } = options;
    const reason = cause instanceof Deno.errors.AddrInUse
      ? "another process listens there"
      : cause instanceof Error
      ? cause.message
      : "it is refused";
    throw new Error(`Cannot start: PORT ${port} of HOST ${hostname} cannot be had: ${reason}`, {
      cause,
    });
  }
}

/** A server that shuts down reads no body any more, not even one that has arrived: those under way come first. */
async function emptied(receiving: ReadonlySet<Promise<unknown>>): Promise<void> {
  const late = Promise.withResolvers<void>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.resolve();
  }, RECEIVING_MAX_MS);
  while (receiving.size > 0 && !isLate) {
    await Promise.race([late.promise, Promise.allSettled(receiving)]);
  }
  clearTimeout(timer);
}
