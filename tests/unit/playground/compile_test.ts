/** Compiles in the playground: the build service's own stream, in protocol v2 (contract 4.8). */
import { NO_STATUS } from "../../../playground/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { PROJECT, ROUTES } from "../../../playground/protocol.ts";
import { Connection } from "../../../playground/browser/connection.ts";
import { type CompileNews, compileStream } from "../../../playground/browser/compile_stream.ts";
import { NOTES, type TestPlayground, TOKEN, withPlayground } from "../../support/playground.ts";

Deno.test("a validation tells its phases, then that it is done", () =>
  withPlayground(async (playground) => {
    const news = await newsOf(playground, { complete: false });
    assertEquals(news.map(({ kind }) => kind), [
      "phase",
      "phase",
      "phase",
      "phase",
      "phase",
      "announced",
      "done",
    ]);
    assertEquals(news.flatMap((one) => one.kind === "phase" ? [one.stage] : []), [
      "read",
      "parse",
      "evaluate",
      "analyze",
      "plan",
    ]);
  }));

Deno.test("a full compile tells each file as it is written", () =>
  withPlayground(async (playground) => {
    const news = await newsOf(playground, { complete: true });
    const files = news.flatMap((one) => one.kind === "file" ? [one.file.path] : []);
    const announced = news.find((one) => one.kind === "announced");
    assertEquals(announced?.fileCount, files.length);
    assert(files.includes("deno.json") && files.some((path) => path.endsWith(".sql")));
    assertEquals(news.at(-1)?.kind, "done");
  }));

Deno.test("a mistake is told with its place and the way out", () =>
  withPlayground(async (playground) => {
    const broken = (await playground.read(NOTES)).replace("q.id()", "q.idd()");
    const last = (await newsOf(playground, { complete: false, edited: { [NOTES]: broken } })).at(
      -1,
    );
    assert(last?.kind === "failed");
    const [finding] = last.findings;
    assertEquals([finding?.file, finding?.line, finding?.severity], [NOTES, 5, "error"]);
    assert(finding?.code && finding.column);
  }));

Deno.test("what the service refuses is an answer of the playground, without CORS or the service's key", () =>
  withPlayground(async ({ ask }) => {
    const answer = await ask(`${ROUTES.compile}?complete=maybe`, {
      method: "POST",
      body: "{}",
      headers: { "content-type": "application/json", "x-api-key": "mine" },
    });
    assertEquals(answer.status, 400);
    assertEquals([...answer.headers.keys()].filter((name) => name.startsWith("access-")), []);
    assertEquals((await answer.json()).code, "COMPILE_INPUT_INVALID");
  }));

Deno.test("open pages hear what dev does, from the moment they open", () =>
  withPlayground(async ({ ask, app }) => {
    const { body } = await ask(ROUTES.events);
    const reader = (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader.read();
    assertEquals(first.value?.startsWith("event: status\n"), true);
    app.feed.tell({ ...NO_STATUS, phase: "serving", message: "Serving notes" });
    assertEquals((await reader.read()).value?.includes('"message":"Serving notes"'), true);
    app.feed.tellFilesChanged();
    assertEquals((await reader.read()).value, "event: files\ndata: {}\n\n");
    await reader.cancel();
  }));

async function newsOf(
  { ask }: TestPlayground,
  { complete, edited = {} }: {
    readonly complete: boolean;
    readonly edited?: Readonly<Record<string, string>>;
  },
): Promise<readonly CompileNews[]> {
  const { files } = PROJECT.parse(await (await ask(ROUTES.project)).json());
  const rawFiles = {
    ...Object.fromEntries(files.map(({ path, text }) => [path, text])),
    ...edited,
  };
  const connection = new Connection(TOKEN, (path, init) =>
    ask(path, {
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(typeof init.body === "string" ? { body: init.body } : {}),
    }));
  return await Array.fromAsync(compileStream(connection, {
    body: JSON.stringify({ rawFiles }),
    complete,
    signal: new AbortController().signal,
  }));
}
