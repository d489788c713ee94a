/** A TCP line to a server of this machine: it delays what passes, each way, cuts answers off, and counts the requests. */

export interface SlowLine {
  readonly url: string;
  /** Milliseconds one way. */
  delay: number;
  /** Shuts a connection instead of passing the answer, each time that so many have passed; null: never. */
  cutEvery: number | null;
  /** Answers that were cut off so far. */
  cuts(): number;
  /** HTTP requests that have passed so far. */
  requests(): number;
  close(): void;
}

export function slowLine(target: string): SlowLine {
  const { hostname, port } = new URL(target);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.TcpConn>();
  let requests = 0;
  let answers = 0;
  let cuts = 0;
  const line: SlowLine = {
    url: `http://127.0.0.1:${listener.addr.port}`,
    delay: 0,
    cutEvery: null,
    cuts: () => cuts,
    requests: () => requests,
    close() {
      listener.close();
      for (const one of open) shut(one);
    },
  };
  const passAll = async () => {
    for await (const near of listener) {
      const far = await Deno.connect({ hostname, port: Number(port) });
      for (const one of [near, far]) {
        one.setNoDelay(true);
        open.add(one);
      }
      void pass(near, far, (bytes) => {
        if (beginsWith(bytes, "POST /")) requests += 1;
        return true;
      });
      void pass(far, near, (bytes) => {
        if (!beginsWith(bytes, "HTTP/1.1")) return true;
        answers += 1;
        const isCut = line.cutEvery !== null && answers % line.cutEvery === 0;
        if (isCut) cuts += 1;
        return !isCut;
      });
    }
  };
  void passAll();
  return line;

  function shut(connection: Deno.TcpConn): void {
    if (open.delete(connection)) connection.close();
  }

  async function pass(
    from: Deno.TcpConn,
    to: Deno.TcpConn,
    mayPass: (bytes: Uint8Array) => boolean,
  ): Promise<void> {
    let sending: Promise<unknown> = Promise.resolve();
    try {
      for (let bytes = await next(from); bytes; bytes = await next(from)) {
        const passing = bytes;
        if (!mayPass(passing)) break;
        const due = performance.now() + line.delay;
        sending = sending.then(() => sendAt(to, passing, due));
        // A client that is gone ends both ways.
        sending.catch(() => shut(from));
      }
      await sending;
    } catch (error) {
      const isGone = ENDS.some((End) => error instanceof End) || !open.has(from) || !open.has(to);
      if (!isGone) throw error;
    } finally {
      shut(from);
      shut(to);
    }
  }
}

/** One end is gone without a word. */
const ENDS = [Deno.errors.ConnectionReset, Deno.errors.BrokenPipe];
function beginsWith(bytes: Uint8Array, text: string): boolean {
  return new TextDecoder().decode(bytes.subarray(0, text.length)) === text;
}

const CHUNK = 64 * 1024;

async function next(from: Deno.TcpConn): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(CHUNK);
  const count = await from.read(bytes);
  return count === null ? null : bytes.subarray(0, count);
}

async function sendAt(to: Deno.TcpConn, bytes: Uint8Array, due: number): Promise<void> {
  const wait = due - performance.now();
  if (wait > 0.5) await new Promise((resolve) => setTimeout(resolve, wait));
  for (let sent = 0; sent < bytes.length;) sent += await to.write(bytes.subarray(sent));
}
