/**
 * Owns the public port and passes each connection to the API that serves at the moment. A new API takes over without a refused
 * connection; bytes pass unchanged, including streams and upgrades.
 */
import { EnvironmentError } from "../exit_codes.ts";

export interface PortRelay {
  readonly port: number;
  /** Passes later and waiting connections to this port. */
  switchTo(port: number): void;
  /** Makes later connections wait, because their API will be replaced. */
  hold(): void;
  /** Ends the waiting, with or without another API. */
  release(): void;
  close(): void;
}

interface RelayOptions {
  readonly hostname: string;
  readonly port: number;
  /** True uses the next free port if this one is busy. */
  readonly mayMove: boolean;
}

const LOOPBACK = "127.0.0.1";
const LOOPBACK_V6 = "::1";
const PORTS_TRIED = 20;
const LAST_PORT = 65535;

/** Listens at once; connections before the first `switchTo` are closed. */
export function openPortRelay(options: RelayOptions): PortRelay {
  const { port, listeners } = listen(options);
  const target: Target = { port: null, held: null };
  for (const listener of listeners) void acceptAll(listener, target);
  const release = () => {
    target.held?.resolve();
    target.held = null;
  };
  return {
    port,
    switchTo(port) {
      target.port = port;
      release();
    },
    hold: () => void (target.held ??= Promise.withResolvers()),
    release,
    close() {
      release();
      listeners.forEach((listener) => listener.close());
    },
  };
}

/** API that serves at the moment; `held` while connections wait for the next one. */
interface Target {
  port: number | null;
  held: PromiseWithResolvers<void> | null;
}

interface Listening {
  readonly port: number;
  readonly listeners: readonly Deno.TcpListener[];
}

function listen({ hostname, port, mayMove }: RelayOptions): Listening {
  const last = mayMove ? Math.min(port + PORTS_TRIED, LAST_PORT) : port;
  for (let candidate = port; candidate <= last; candidate++) {
    const listeners = listenOn(hostname, candidate);
    if (listeners) return { port: candidate, listeners };
  }
  throw new EnvironmentError(
    mayMove
      ? `Ports ${port} to ${last} are all in use; choose one with --port`
      : `Port ${port} is in use; stop what listens there, or choose another with --port`,
  );
}

/** Listens; null if the port is taken. `localhost` has two addresses, and clients differ in which one they try. */
function listenOn(hostname: string, port: number): readonly Deno.TcpListener[] | null {
  const listeners: Deno.TcpListener[] = [];
  for (const address of hostname === LOOPBACK ? [LOOPBACK, LOOPBACK_V6] : [hostname]) {
    try {
      listeners.push(Deno.listen({ hostname: address, port }));
    } catch (error) {
      // A machine without IPv6 has no second address.
      if (address === LOOPBACK_V6 && !(error instanceof Deno.errors.AddrInUse)) continue;
      listeners.forEach((listener) => listener.close());
      if (error instanceof Deno.errors.AddrInUse) return null;
      throw error;
    }
  }
  return listeners;
}

async function acceptAll(listener: Deno.TcpListener, target: Target): Promise<void> {
  for await (const connection of listener) void relay(connection, target);
}

async function relay(client: Deno.TcpConn, target: Target): Promise<void> {
  await target.held?.promise;
  const { port } = target;
  const api = port === null ? null : await connected(port);
  if (api === null) return client.close();
  // Either side may close at any byte; the other side is then closed too.
  await Promise.allSettled([
    client.readable.pipeTo(api.writable),
    api.readable.pipeTo(client.writable),
  ]);
}

async function connected(port: number): Promise<Deno.TcpConn | null> {
  try {
    return await Deno.connect({ hostname: LOOPBACK, port });
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return null;
    throw error;
  }
}
