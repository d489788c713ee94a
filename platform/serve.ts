/** Serves a fetch handler on a TCP port until the process is asked to end, and lets what is under way finish. */
import { clientIp } from "./client_ip.ts";
import { redactSpans } from "./request_spans.ts";
import type { Connection, Logger } from "../shared/runtime/ports.ts";

export interface ServeOptions {
  readonly port: number;
  /** Address to bind; null: all of this machine's. */
  readonly hostname: string | null;
  /** The header in which a trusted reverse proxy names the client's address; null: there is none. */
  readonly clientIpHeader?: string | null;
  /** Told of the beginning and of the end. */
  readonly logger: Logger;
  readonly fetch: (request: Request, connection: Connection) => Promise<Response>;
  /** Runs when the server is asked to end: ends answers that go on by themselves. */
  readonly onEnding?: () => void;
  /** How long clients may take for their answers then, before they are broken off; absent: as long as they like. */
  readonly endingMaxMs?: number;
  /** Runs when the last answer is out: closes what the handler needed. */
  readonly onClosed: () => Promise<void>;
}

const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD"]);
const RECEIVING_MAX_MS = 10_000;
const END_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Resolves when the server has ended. A second signal ends the process at once, as the platform does by itself. */
export async function serve(options: ServeOptions): Promise<void> {
  const {
    port,
    hostname,
    clientIpHeader = null,
    logger,
    fetch,
    onEnding,
    onClosed,
    endingMaxMs = null,
  } = options;
  const late = Promise.withResolvers<"late">();
  let bound: ReturnType<typeof setTimeout> | undefined;
  redactSpans();
  const address = hostname === null ? { port } : { port, hostname };
  const receiving = new Set<Promise<unknown>>();
  const server = Deno.serve(
    { ...address, onListen: (bound) => logger.log({ level: "info", message: listening(bound) }) },
    (request, { remoteAddr }) => {
      const ip = clientIp(request.headers, { trustedHeader: clientIpHeader, remoteAddr });
      const upgrade = () => Deno.upgradeWebSocket(request);
      const answer = fetch(request, { clientIp: ip, upgrade });
      if (!BODILESS.has(request.method)) keepWhile(answer, receiving);
      return answer;
    },
  );
  const end = () => {
    for (const signal of END_SIGNALS) Deno.removeSignalListener(signal, end);
    logger.log({ level: "info", message: "Ending: requests under way finish, others are refused" });
    onEnding?.();
    if (endingMaxMs !== null) bound = setTimeout(() => late.resolve("late"), endingMaxMs);
    // Turns later: what was just ended says why it ends, before the platform ends it without.
    setTimeout(async () => {
      await emptied(receiving);
      await server.shutdown();
    }, 0);
  };
  for (const signal of END_SIGNALS) Deno.addSignalListener(signal, end);
  const outcome = await Promise.race([server.finished, late.promise]);
  clearTimeout(bound);
  await onClosed();
  if (outcome !== "late") return;
  logger.log({ level: "warn", message: "Ended before every answer was taken" });
  Deno.exit(0);
}

function keepWhile(answer: Promise<unknown>, receiving: Set<Promise<unknown>>): void {
  receiving.add(answer);
  const done = () => receiving.delete(answer);
  answer.then(done, done);
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

function listening({ hostname, port }: Deno.NetAddr): string {
  return `Listening on http://${hostname.includes(":") ? `[${hostname}]` : hostname}:${port}/`;
}
