/** Serves a fetch handler on a TCP port until the process is asked to end, and lets what is under way finish. */
import { clientIp } from "./client_ip.ts";
import type { Connection } from "../shared/runtime/ports.ts";

export interface ServeOptions {
  readonly port: number;
  /** Address to bind; null: all of this machine's. */
  readonly hostname: string | null;
  /** The header in which a trusted reverse proxy names the client's address; null: there is none. */
  readonly clientIpHeader?: string | null;
  readonly fetch: (request: Request, connection: Connection) => Promise<Response>;
  /** Runs when the server is asked to end: ends answers that go on by themselves. */
  readonly onEnding?: () => void;
  /** Runs when the last answer is out: closes what the handler needed. */
  readonly onClosed: () => Promise<void>;
}

const END_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Resolves when the server has ended. A second signal ends the process at once, as the platform does by itself. */
export async function serve(options: ServeOptions): Promise<void> {
  const { port, hostname, clientIpHeader = null, fetch, onEnding, onClosed } = options;
  const address = hostname === null ? { port } : { port, hostname };
  const server = Deno.serve(
    address,
    (request, { remoteAddr }) => {
      const ip = clientIp(request.headers, { trustedHeader: clientIpHeader, remoteAddr });
      return fetch(request, { clientIp: ip, upgrade: () => Deno.upgradeWebSocket(request) });
    },
  );
  const end = () => {
    for (const signal of END_SIGNALS) Deno.removeSignalListener(signal, end);
    onEnding?.();
    // A turn later: what was just ended says why it ends, before the platform ends it without.
    setTimeout(() => server.shutdown(), 0);
  };
  for (const signal of END_SIGNALS) Deno.addSignalListener(signal, end);
  await server.finished;
  await onClosed();
}
