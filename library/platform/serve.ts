/** Serves a fetch handler on a TCP port until the process is asked to end, and lets requests in progress finish. */
import { clientIp } from "./client_ip.ts";
import { redactSpans } from "./request_spans.ts";
import type { Connection, Logger } from "../../shared/runtime/ports.ts";

export interface ServeOptions {
  readonly port: number;
  /** Address to listen on; null: all addresses of this machine. */
  readonly hostname: string | null;
  /** Header in which a trusted reverse proxy sends the client's address; null: none. */
  readonly clientIpHeader?: string | null;
  /** Logs the start and the end. */
  readonly logger: Logger;
  /** Is called when the server listens. */
  readonly onListening?: () => void;
  readonly fetch: (request: Request, connection: Connection) => Promise<Response>;
  /** Is called when the server is asked to end. It ends answers that would go on by themselves. */
  readonly onEnding?: () => void;
  /** Milliseconds that requests and clients have to finish before they are broken off. */
  readonly endingMaxMs?: number;
  /** Is called after the last answer was sent or broken off. It has half a second to close what the handler needed. */
  readonly onClosed: () => Promise<void>;
}

const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const RECEIVING_MAX_MS = 10_000;
/** Limits of the end. Their sum is below the 15 s after which an API must have ended (definitions 7 "shutting down"). */
const ENDING_MAX_MS = 14_000;
const CLOSING_MAX_MS = 500;
/** Milliseconds for the platform's own work after everything is closed. */
const LEFT_MAX_MS = 300;
const END_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Serves. Resolves when the server has ended. A second signal ends the process at once, as the platform does by default. */
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
    // Some turns later streams have sent their reason, and the platform may end them.
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
    // An author's timer, or similar, must not keep the process alive.
    Deno.unrefTimer(setTimeout(() => Deno.exit(0), LEFT_MAX_MS));
    return;
  }
  logger.log({ level: "warn", message: "Ended before every request was" });
  // A transaction that a handler still has open is rolled back.
  Deno.exit(0);
}

/** Listens. An address that is invalid or in use is refused with a message for the operator. */
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

/** Waits for bodies in progress, because a server that shuts down reads none, even if it has arrived. */
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
