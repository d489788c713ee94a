/** A subscriber over a WebSocket, against an API on a port of its own. */
import type { App } from "../../shared/runtime/mod.ts";
import { isRecord } from "./api.ts";

export interface SocketListener {
  /** The next message; throws the close code when there is none. */
  next(): Promise<Readonly<Record<string, unknown>>>;
  /** `<code> <reason>` of its end. */
  readonly closed: Promise<string>;
  send(text: string): void;
  leave(): Promise<void>;
}

/** Serves the API as a host does, while the body runs. */
export async function serving(
  api: Pick<App, "fetch">,
  body: (address: string) => Promise<void>,
): Promise<void> {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) =>
      api.fetch(request, { clientIp: null, upgrade: () => Deno.upgradeWebSocket(request) }),
  );
  try {
    await body(`127.0.0.1:${server.addr.port}`);
  } finally {
    await server.shutdown();
  }
}

/** Rejects with `refused` when the handshake is refused. */
export async function socketTo(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<SocketListener> {
  const socket: unknown = Reflect.construct(WebSocket, [url, { headers }]);
  if (!(socket instanceof WebSocket)) throw new Error("No WebSocket");
  const messages: string[] = [];
  let wake = () => {};
  socket.onmessage = ({ data }) => {
    messages.push(String(data));
    wake();
  };
  const closed = new Promise<string>((resolve) => {
    socket.onclose = ({ code, reason }) => {
      resolve(`${code} ${reason}`);
      wake();
    };
  });
  await new Promise<void>((resolve, reject) => {
    socket.onopen = () => resolve();
    socket.onerror = () => reject(new Error("refused"));
  });
  socket.onerror = null;
  return {
    closed,
    async next() {
      while (messages.length === 0) {
        if (socket.readyState === WebSocket.CLOSED) throw new Error(await closed);
        await new Promise<void>((resolve) => (wake = resolve));
      }
      const parsed: unknown = JSON.parse(messages.shift() ?? "");
      if (!isRecord(parsed)) throw new Error("No frame");
      return parsed;
    },
    send: (text) => socket.send(text),
    async leave() {
      socket.close();
      await closed;
    },
  };
}
