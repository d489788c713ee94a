/**
 * Owns the public port and hands each connection to the API that serves at the moment: a new API takes over without a
 * refused connection, and bytes pass as they are, streams and upgrades included.
 */
import { EnvironmentError } from "../exit_codes.ts";

export interface PortRelay {
  readonly port: number;
  /** Later connections go there, and those that were held. */
  switchTo(port: number): void;
  /** Lets later connections wait: their API is about to be another. */
  hold(): void;
  /** Ends the waiting, whether or not there is another API. */
  release(): void;
  close(): void;
}

interface RelayOptions {
  readonly hostname: string;
  readonly port: number;
  /** Take the next free port when this one is busy. */
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

/** The API that serves at the moment; `held` while connections wait for the next one. */
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

/** Null when the port is taken. `localhost` is two addresses, and clients differ in which one they try. */
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
  // Either side may hang up at any byte; nothing is left to do then but to hang up on the other.
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
