/** Serves a fetch handler on a TCP port until the process is asked to end, and lets what is under way finish. */
import type { Connection } from "../shared/runtime/ports.ts";

export interface ServeOptions {
  readonly port: number;
  /** Address to bind; null: all of this machine's. */
  readonly hostname: string | null;
  readonly fetch: (request: Request, connection: Connection) => Promise<Response>;
  /** Runs when the last answer is out: closes what the handler needed. */
  readonly onClosed: () => Promise<void>;
}

const END_SIGNALS = ["SIGTERM", "SIGINT"] as const;

/** Resolves when the server has ended. A second signal ends the process at once, as the platform does by itself. */
export async function serve({ port, hostname, fetch, onClosed }: ServeOptions): Promise<void> {
  const address = hostname === null ? { port } : { port, hostname };
  const server = Deno.serve(
    address,
    (request, { remoteAddr }) => fetch(request, { clientIp: clientIpOf(remoteAddr) }),
  );
  const end = () => {
    for (const signal of END_SIGNALS) Deno.removeSignalListener(signal, end);
    server.shutdown();
  };
  for (const signal of END_SIGNALS) Deno.addSignalListener(signal, end);
  await server.finished;
  await onClosed();
}

function clientIpOf(address: Deno.Addr): string | null {
  return address.transport === "tcp" ? address.hostname : null;
}
