/** What happens to requests and connections when the process is asked to end (definitions 8, `start`). */
import NativeDatabase from "libsql";
import { assertEquals } from "@std/assert";
import { withTempFolder } from "../../support/temp_folder.ts";

const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;
const SERVE = new URL("../../../library/platform/serve.ts", import.meta.url).href;
const OPEN_DATABASE = new URL("../../../library/platform/open_database.ts", import.meta.url).href;
const LOGGER = new URL("../../../library/platform/console_logger.ts", import.meta.url).href;

/** No bound of the server ends a step of a test, however busy the machine is. */
const PATIENT = { millisecondsPerSecond: 60_000 };

/** Answers a request when it is told to by a byte of its input. */
const SLOW = `
  async fetch() {
    console.log(JSON.stringify({ message: "Asked" }));
    await Deno.stdin.read(new Uint8Array(1));
    return new Response("answered");
  },
  onClosed: () => Promise.resolve(console.log(JSON.stringify({ message: "Closed" }))),`;

/** Reads a request's body when it is told to. */
const ECHOING = `
  async fetch(request) {
    console.log(JSON.stringify({ message: "Asked" }));
    await Deno.stdin.read(new Uint8Array(1));
    return new Response(await request.text());
  },
  onClosed: () => Promise.resolve(),`;

/** Answers without an end, to clients that do not read: none of it is taken. */
const ENDLESS = `
  fetch() {
    console.log(JSON.stringify({ message: "Asked" }));
    const pull = (controller) => controller.enqueue(new Uint8Array(65536));
    return Promise.resolve(new Response(new ReadableStream({ pull })));
  },
  endingMaxMs: 1,
  onClosed: () => Promise.resolve(console.log(JSON.stringify({ message: "Closed" }))),`;

/** Reads bodies to their end. */
const RECEIVING = `
  async fetch(request) {
    console.log(JSON.stringify({ message: "Asked" }));
    return new Response(await request.text());
  },
  onClosed: () => Promise.resolve(console.log(JSON.stringify({ message: "Closed" }))),`;

/** A handler that has written and never comes to its end. */
const HOLDING = `
  fetch() {
    return database.write(async (transaction) => {
      await transaction.run({ sql: "INSERT INTO kept VALUES ('half')", args: [] });
      console.log(JSON.stringify({ message: "Asked" }));
      await new Promise(() => {});
    });
  },
  onClosed: () => database.close(),`;

/** A server whose one WebSocket is ended as an API ends its subscribers: one turn after it was asked to. */
const STREAMING = `
  fetch(_request, { upgrade }) {
    const { socket, response } = upgrade();
    sockets.push(socket);
    return Promise.resolve(response);
  },
  onEnding: () => void Promise.resolve().then(() => sockets[0].close(4003, "shutdown")),
  onClosed: () => Promise.resolve(),`;

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  Deno.test(`${signal} lets the request under way finish, takes no other, closes what it needed, and ends with 0`, async () => {
    await using server = await Server.start(SLOW, PATIENT);
    const underWay = fetch(server.origin);
    await server.reached();
    server.kill(signal);
    await server.refuses();
    await server.tell();
    assertEquals(await (await underWay).text(), "answered");
    assertEquals(await server.code, 0);
    assertEquals((await server.messages()).map(({ message }) => message), [
      `Listening on ${server.origin}`,
      "Asked",
      "Ending: requests under way finish, others are refused",
      "Closed",
    ]);
  });
}

Deno.test("a request whose body is still to be read is read to its end, and answered", async () => {
  await using server = await Server.start(ECHOING, PATIENT);
  const underWay = fetch(server.origin, { method: "POST", body: "a body" });
  await server.reached();
  server.kill("SIGTERM");
  await server.ends();
  await server.tell();
  assertEquals(await (await underWay).text(), "a body");
  assertEquals(await server.code, 0);
});

Deno.test("a client that does not take its answer holds nothing up for longer than it may", async () => {
  await using server = await Server.start(ENDLESS);
  const { hostname, port } = new URL(server.origin);
  using client = await Deno.connect({ hostname, port: Number(port) });
  await client.write(new TextEncoder().encode("GET / HTTP/1.1\r\nhost: a\r\n\r\n"));
  await server.reached();
  server.kill("SIGTERM");
  assertEquals(await server.code, 0);
  assertEquals((await server.messages()).at(-1)?.message, "Closed");
});

for (
  const [what, bytes] of [
    ["half of a body", "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\nabc"],
    [
      "a body of which the length is not known",
      "POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n",
    ],
    [
      "half of its headers, after an answer",
      "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\nGET /",
    ],
  ] as const
) {
  Deno.test(`a client with ${what} on the wire keeps the process for less than 15 seconds`, async () => {
    await using server = await Server.start(RECEIVING, { millisecondsPerSecond: 1 });
    const { hostname, port } = new URL(server.origin);
    using client = await Deno.connect({ hostname, port: Number(port) });
    await client.write(new TextEncoder().encode(bytes));
    await server.reached();
    server.kill("SIGTERM");
    assertEquals(await server.code, 0);
    assertEquals((await server.messages()).some(({ message }) => message === "Closed"), true);
    assertEquals(await server.longestTimer() < 15_000, true);
  });
}

Deno.test("a handler that does not end is broken off, and what it wrote is undone", () =>
  withTempFolder(async (folder) => {
    const path = `${folder}/kept.db`;
    const database = new NativeDatabase(path);
    database.exec("PRAGMA journal_mode = WAL; CREATE TABLE kept (name text)");
    const opened = `const database = await openDatabase({ url: "file:${path}" });`;
    await using server = await Server.start(HOLDING, { millisecondsPerSecond: 1, before: opened });
    const asked = fetch(server.origin).then(() => "answered", () => "broken off");
    await server.reached();
    server.kill("SIGTERM");
    assertEquals([await asked, await server.code], ["broken off", 0]);
    assertEquals(database.prepare("SELECT count(*) FROM kept").raw(true).get(), [0]);
    database.close();
  }));

Deno.test("a second signal ends it at once", async () => {
  await using server = await Server.start(SLOW, PATIENT);
  const underWay = fetch(server.origin).then(() => "answered", () => "broken off");
  await server.reached();
  server.kill("SIGTERM");
  await server.refuses();
  server.kill("SIGTERM");
  assertEquals(await underWay, "broken off");
  assertEquals(await server.code, 143);
});

Deno.test("a stream that ends with its process says so by its own close code", async () => {
  await using server = await Server.start(STREAMING, PATIENT);
  const socket = new WebSocket(server.origin.replace("http", "ws"));
  const closed = Promise.withResolvers<CloseEvent>();
  socket.onclose = closed.resolve;
  socket.onopen = () => server.kill("SIGTERM");
  const { code, reason } = await closed.promise;
  assertEquals([code, reason], [4003, "shutdown"]);
  assertEquals(await server.code, 0);
});

interface Said {
  readonly message: string;
  /** Of a timer. */
  readonly wait?: number;
}

/** `serve()` in a process of its own, on a port that the system chooses. */
class Server implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #file: string;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #reading: Promise<void>;
  readonly #listening = Promise.withResolvers<string>();
  readonly #asked = Promise.withResolvers<void>();
  readonly #ending = Promise.withResolvers<void>();
  #said = "";
  origin = "";

  private constructor(file: string) {
    this.#file = file;
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", CONFIG, file],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#reading = this.#read();
  }

  /** `handler`: what it does with requests, as members of the options. Its time may fly. */
  static async start(
    handler: string,
    { millisecondsPerSecond = 1000, before = "" } = {},
  ): Promise<Server> {
    const file = await Deno.makeTempFile({ suffix: ".ts" });
    await Deno.writeTextFile(
      file,
      `import { consoleLogger } from ${JSON.stringify(LOGGER)};
import { serve } from ${JSON.stringify(SERVE)};
import { openDatabase } from ${JSON.stringify(OPEN_DATABASE)};
const realTimeout = globalThis.setTimeout;
globalThis.setTimeout = (run, wait, ...more) => {
  console.log(JSON.stringify({ message: "Timer", wait }));
  return realTimeout(run, wait * ${millisecondsPerSecond} / 1000, ...more);
};
${before}
const sockets = [];
const logger = consoleLogger({ clock: { now: () => 0 } });
await serve({ port: 0, hostname: "127.0.0.1", logger, ${handler} });
`,
    );
    const server = new Server(file);
    server.origin = await server.#listening.promise;
    return server;
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Until a request is with the handler. */
  reached(): Promise<void> {
    return this.#asked.promise;
  }

  /** Until the signal has arrived. */
  ends(): Promise<void> {
    return this.#ending.promise;
  }

  /** Until it takes no connection any more. */
  async refuses(): Promise<void> {
    const { hostname, port } = new URL(this.origin);
    for (;;) {
      try {
        (await Deno.connect({ hostname, port: Number(port) })).close();
      } catch (error) {
        if (error instanceof Deno.errors.ConnectionRefused) return;
        // It closed while this one was coming in.
        if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async tell(): Promise<void> {
    await this.#input.write(new Uint8Array(1));
  }

  get code(): Promise<number> {
    return this.#child.status.then(({ code }) => code);
  }

  /** Its log, when it has ended: each line is JSON. */
  async messages(): Promise<readonly Said[]> {
    return (await this.#lines()).filter(({ message }) => message !== "Timer");
  }

  /** Milliseconds of the longest timer that it set. */
  async longestTimer(): Promise<number> {
    return Math.max(...(await this.#lines()).map(({ wait = 0 }) => wait));
  }

  async #lines(): Promise<readonly Said[]> {
    await this.#reading;
    return this.#said.trimEnd().split("\n").map((line) => JSON.parse(line));
  }

  async #read(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#said += text;
      const [, address] = /Listening on (http:\/\/[\d.]+:\d+\/)/.exec(this.#said) ?? [];
      if (address !== undefined) this.#listening.resolve(address);
      if (this.#said.includes("Asked")) this.#asked.resolve();
      if (this.#said.includes("Ending")) this.#ending.resolve();
    }
    this.#listening.reject(new Error(`The server did not start: ${this.#said}`));
    this.#listening.promise.catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      this.#child.kill("SIGKILL");
    } catch (error) {
      // It has ended already.
      if (!(error instanceof TypeError)) throw error;
    }
    await this.#input.abort();
    await this.#child.status;
    await this.#reading;
    await Deno.remove(this.#file);
  }
}
