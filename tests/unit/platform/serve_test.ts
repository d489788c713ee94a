/** What happens to connections that go on by themselves when the process is asked to end (definitions 8, `start`). */
import { assertEquals } from "@std/assert";

const CONFIG = new URL("../../../deno.json", import.meta.url).pathname;
const SERVE = new URL("../../../platform/serve.ts", import.meta.url).href;

/** A server whose one WebSocket is ended as an API ends its subscribers: one turn after it was asked to. */
const SERVER = `import { serve } from ${JSON.stringify(SERVE)};
const sockets = [];
await serve({
  port: 0,
  hostname: "127.0.0.1",
  logger: { log: ({ message }) => console.log(message) },
  fetch(_request, { upgrade }) {
    const { socket, response } = upgrade();
    sockets.push(socket);
    return Promise.resolve(response);
  },
  onEnding: () => void Promise.resolve().then(() => sockets[0].close(4003, "shutdown")),
  onClosed: () => Promise.resolve(),
});
`;

Deno.test("a stream that ends with its process says so by its own close code", async () => {
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, SERVER);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--config", CONFIG, file],
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const socket = new WebSocket(await addressOf(child));
  const closed = Promise.withResolvers<CloseEvent>();
  socket.onclose = closed.resolve;
  socket.onopen = () => child.kill("SIGTERM");
  const { code, reason } = await closed.promise;
  assertEquals([code, reason], [4003, "shutdown"]);
  assertEquals((await child.status).code, 0);
  await Deno.remove(file);
});

/** From "Listening on http://…". */
async function addressOf({ stdout }: Deno.ChildProcess): Promise<string> {
  const reader = stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    said += read.value;
    const port = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(said)?.[1];
    if (port === undefined) continue;
    await reader.cancel();
    return `ws://127.0.0.1:${port}/`;
  }
  throw new Error(`The server did not start: ${said}`);
}
