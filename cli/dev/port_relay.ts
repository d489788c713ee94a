/**
 * Owns the public port and hands each connection to the API that serves at the moment: a new API takes over without a
 * refused connection, and bytes pass as they are, streams and upgrades included.
 */
import { CommandError } from "../command.ts";

export interface PortRelay {
  readonly port: number;
  /** Later connections go there. */
  switchTo(port: number): void;
  close(): void;
}

export interface RelayOptions {
  readonly hostname: string;
  readonly port: number;
  /** Take the next free port when this one is busy. */
  readonly mayMove: boolean;
}

const PORTS_TRIED = 20;
const LAST_PORT = 65535;

/** Listens at once; connections before the first `switchTo` are closed. */
export function openPortRelay(options: RelayOptions): PortRelay {
  const listener = listen(options);
  const target: { port: number | null } = { port: null };
  void acceptAll(listener, target);
  return {
    port: listener.addr.port,
    switchTo: (port) => void (target.port = port),
    close: () => listener.close(),
  };
}

function listen({ hostname, port, mayMove }: RelayOptions): Deno.TcpListener {
  const last = mayMove ? Math.min(port + PORTS_TRIED, LAST_PORT) : port;
  for (let candidate = port; candidate <= last; candidate++) {
    try {
      return Deno.listen({ hostname, port: candidate });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
  throw new CommandError(
    mayMove
      ? `Ports ${port} to ${last} are all in use; choose one with --port`
      : `Port ${port} is in use; stop what listens there, or choose another with --port`,
  );
}

async function acceptAll(
  listener: Deno.TcpListener,
  target: { readonly port: number | null },
): Promise<void> {
  for await (const connection of listener) void relay(connection, target.port);
}

async function relay(client: Deno.TcpConn, port: number | null): Promise<void> {
  const api = port === null ? null : await connected(port);
  if (api === null) return client.close();
  // Either side may hang up at any byte; nothing is left to do then but to hang up on the other.
  await Promise.allSettled([
    client.readable.pipeTo(api.writable),
    api.readable.pipeTo(client.writable),
  ]);
}

async function connected(port: number): Promise<Deno.TcpConn | null> {
  try {
    return await Deno.connect({ hostname: "127.0.0.1", port });
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return null;
    throw error;
  }
}

/** A port that nobody listens on right now. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}
