/** Compile streams, frame by frame (contract 4.8, streaming; 6.4, 9.4). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { CompileEvent, Compiler, OutputFile } from "../../shared/service/mod.ts";
import {
  compileRequest,
  framesOf,
  json,
  projectBody,
  settle,
  STREAM_V1,
  STREAM_V2,
  testService,
} from "../support/build_service.ts";

const BODY = await projectBody();
const STAGES = ["read", "parse", "evaluate", "analyze", "plan", "emit"];
const CONFIG = "quickback/quickback.config.ts";
const VALID_CONFIG = 'export default { name: "a" };';

Deno.test("v1: progress of every phase, then the whole result", async () => {
  const { fetch } = testService();
  for (const headers of [STREAM_V1, { ...STREAM_V1, "x-service-stream": "v1" }]) {
    const answer = await fetch(compileRequest(BODY, { headers }));
    assertEquals(answer.status, 200);
    assertEquals(answer.headers.get("content-type"), "text/event-stream");
    assertEquals(answer.headers.get("x-service-stream"), "v1");
    const frames = framesOf(await answer.text());
    assertEquals(frames.map(({ event }) => event), [...STAGES.map(() => "progress"), "result"]);
    assertEquals(frames.slice(0, -1).map(({ data }) => data.stage), STAGES);
    for (const { data } of frames.slice(0, -1)) {
      assertEquals(Object.keys(data), ["stage", "message"]);
    }
    assertEquals(frames.at(-1)?.data, await json(await fetch(compileRequest(BODY))));
  }
});

Deno.test("v2: progress, one meta, every file, done; together they are the JSON answer", async () => {
  const { fetch } = testService();
  const answer = await fetch(compileRequest(BODY, { headers: STREAM_V2 }));
  assertEquals(answer.headers.get("x-service-stream"), "v2");
  const frames = framesOf(await answer.text());
  const { meta, files, commands, warnings } = await json(await fetch(compileRequest(BODY)));
  assert(Array.isArray(files));
  assertEquals(frames.map(({ event }) => event), [
    ...STAGES.map(() => "progress"),
    "meta",
    ...files.map(() => "file"),
    "done",
  ]);
  const named = (name: string) => frames.filter(({ event }) => event === name).map((f) => f.data);
  assertEquals(named("meta"), [{ fileCount: files.length, version: "0.0.0" }]);
  assertEquals<unknown>(named("file"), files);
  assertEquals(named("done"), [{ meta, commands, warnings }]);
});

Deno.test("a validation streams no file", async () => {
  const { fetch } = testService({ backend: "edge" });
  const query = "?complete=false";
  const v1 = framesOf(
    await (await fetch(compileRequest(BODY, { query, headers: STREAM_V1 }))).text(),
  );
  const v2 = framesOf(
    await (await fetch(compileRequest(BODY, { query, headers: STREAM_V2 }))).text(),
  );
  const stages = STAGES.slice(0, 5).map(() => "progress");
  assertEquals(v1.map(({ event }) => event), [...stages, "result"]);
  assertEquals(v2.map(({ event }) => event), [...stages, "meta", "done"]);
  assertEquals(v2.at(-2)?.data, { fileCount: 0, version: "0.0.0" });
});

for (const [version, headers] of [["v1", STREAM_V1], ["v2", STREAM_V2]] as const) {
  Deno.test(`${version}: mistakes end the stream with one error frame`, async () => {
    const rawFiles = { [CONFIG]: VALID_CONFIG, "etc/passwd": "", "../x": "" };
    const request = (more: Record<string, string>) =>
      compileRequest(JSON.stringify({ rawFiles }), { headers: more });
    const { fetch } = testService();
    const answer = await fetch(request(headers));
    assertEquals(answer.status, 200);
    const { event, data } = framesOf(await answer.text()).at(-1) ?? {};
    const problem = await json(await fetch(request({})));
    assertEquals(event, "error");
    assertEquals(data, {
      error: "Compile failed",
      code: "COMPILE_FAILED",
      message: problem.detail,
      errors: problem.errors,
    });
    assertMatch(String(problem.detail), /^Found 2 independent errors\n1\. .+\n2\. .+$/);
  });

  Deno.test(`${version}: what is refused before the compile is a problem`, async () => {
    const { fetch } = testService();
    const answer = await fetch(compileRequest("{}", { headers }));
    assertEquals(answer.status, 400);
    assertEquals(answer.headers.get("content-type"), "application/problem+json");
    assertEquals(answer.headers.has("x-service-stream"), false);
    await answer.body?.cancel();
  });
}

Deno.test("an unknown protocol is refused; without a stream the header means nothing", async () => {
  const { fetch } = testService();
  const v3 = { "x-service-stream": "v3" };
  const refused = await fetch(compileRequest(BODY, { headers: { ...STREAM_V1, ...v3 } }));
  assertEquals([refused.status, (await json(refused)).code], [400, "COMPILE_INPUT_INVALID"]);
  const plain = await fetch(compileRequest(BODY, { headers: v3 }));
  assertEquals(plain.headers.get("content-type"), "application/json");
  assertEquals(plain.headers.has("x-service-stream"), false);
  await plain.body?.cancel();
});

Deno.test("Accept selects the stream by weight", async () => {
  const { fetch } = testService();
  const chosen = async (accept: string) => {
    const answer = await fetch(compileRequest(BODY, { headers: { accept } }));
    await answer.body?.cancel();
    return answer.headers.get("content-type");
  };
  assertEquals(await chosen("application/json, text/event-stream"), "text/event-stream");
  assertEquals(await chosen("application/json, text/event-stream;q=0.5"), "application/json");
  assertEquals(await chosen("text/event-stream;q=0"), "application/json");
  assertEquals(await chosen("*/*"), "application/json");
});

Deno.test("frames leave as they happen, files before the check ends", async () => {
  const { compiler, tell } = toldCompiler();
  const { fetch } = testService({ compiler });
  const answer = await fetch(compileRequest(BODY, { headers: STREAM_V2 }));
  const reader = readerOf(answer);
  tell({ kind: "progress", stage: "read", message: "Reading" });
  assertMatch(await reader.next(), /^event: progress\ndata: \{"stage":"read"/);
  tell({ kind: "emitted", files: [file("a"), file("b")] });
  assertMatch(await reader.next(), /^event: meta/);
  assertMatch(await reader.next(), /^event: file\ndata: \{"path":"a"/);
  assertMatch(await reader.next(), /^event: file\ndata: \{"path":"b"/);
  tell({ kind: "progress", stage: "check", message: "Bundling" });
  assertMatch(await reader.next(), /"stage":"check"/);
  tell({ kind: "finished", contract: "v1", commands: [], warnings: [] });
  assertMatch(await reader.next(), /^event: done/);
  await reader.cancel();
});

Deno.test("others run after every ten files", async () => {
  const { compiler, tell } = toldCompiler();
  const { fetch } = testService({ compiler });
  const answer = await fetch(compileRequest(BODY, { headers: STREAM_V2 }));
  const reader = readerOf(answer);
  tell({ kind: "emitted", files: Array.from({ length: 25 }, (_, index) => file(`${index}`)) });
  let turns = 0;
  let isCounting = true;
  const count = () => {
    turns += 1;
    if (isCounting) setTimeout(count);
  };
  setTimeout(count);
  await reader.next();
  for (let index = 0; index < 25; index++) assertMatch(await reader.next(), /^event: file/);
  isCounting = false;
  assert(turns >= 2, `others ran ${turns} times`);
  await reader.cancel();
});

Deno.test("a silent stream says that it lives", async () => {
  const { compiler, tell } = toldCompiler();
  const { fetch, timers } = testService({ compiler });
  const answer = await fetch(compileRequest(BODY, { headers: STREAM_V2 }));
  const reader = readerOf(answer);
  const first = reader.next();
  await settle();
  await timers.pass(15_000);
  assertEquals(await first, ": keep-alive\n\n");
  tell({ kind: "progress", stage: "read", message: "Reading" });
  assertMatch(await reader.next(), /^event: progress/);
  await reader.cancel();
});

Deno.test("a client that leaves ends the compile and frees its place", async () => {
  const { compiler, jobs } = toldCompiler();
  const { fetch, logged } = testService({ compiler, running: 1, waiting: 0 });
  const answer = await fetch(compileRequest(BODY, { headers: STREAM_V2 }));
  const reader = readerOf(answer);
  const pending = reader.next().catch(() => "");
  await settle();
  await reader.cancel();
  await pending;
  await settle();
  assertEquals(jobs.map(({ signal }) => signal.aborted), [true]);
  const left = new AbortController();
  const document = fetch(compileRequest(BODY, { signal: left.signal }));
  await until(() => jobs.length === 2);
  left.abort();
  await (await document).body?.cancel();
  assertEquals(jobs.map(({ signal }) => signal.aborted), [true, true]);
  assertEquals(logged.filter(({ level }) => level === "error"), []);
});

Deno.test("a compile that takes 30 seconds is refused, in a stream as its last frame", async () => {
  const { compiler, jobs } = toldCompiler();
  const { fetch, timers } = testService({ compiler });
  const document = fetch(compileRequest(BODY));
  const stream = await fetch(compileRequest(BODY, { headers: STREAM_V1 }));
  const text = stream.text();
  await until(() => jobs.length === 2);
  await timers.pass(30_000);
  const refused = await document;
  assertEquals([refused.status, (await json(refused)).code], [408, "COMPILE_TIMEOUT"]);
  const last = framesOf(await text).at(-1);
  assertEquals([last?.event, last?.data.code], ["error", "COMPILE_TIMEOUT"]);
  assertEquals(jobs.map(({ signal }) => signal.aborted), [true, true]);
});

Deno.test("compiles wait for their turn, and are refused beyond what may wait", async () => {
  const { compiler, jobs, tell } = toldCompiler();
  const { fetch, timers } = testService({ compiler, running: 1, waiting: 1 });
  const running = fetch(compileRequest(BODY));
  await until(() => jobs.length === 1);
  const waiting = fetch(compileRequest(BODY));
  await timers.untilAwaited();
  await settle();
  const refused = await fetch(compileRequest(BODY));
  assertEquals([refused.status, refused.headers.get("retry-after")], [503, "5"]);
  assertEquals((await json(refused)).code, "COMPILE_BUSY");
  assertEquals(jobs.length, 1);
  tell({ kind: "finished", contract: "v1", commands: [], warnings: [] });
  assertEquals((await json(await running)).files, []);
  await until(() => jobs.length === 2);
  tell({ kind: "finished", contract: "v1", commands: [], warnings: [] });
  assertEquals((await waiting).status, 200);
});

Deno.test("a client that reads slowly keeps nobody else waiting", async () => {
  const { compiler, jobs, tell } = toldCompiler();
  const { fetch } = testService({ compiler, running: 1, waiting: 0 });
  const slow = await fetch(compileRequest(BODY, { headers: STREAM_V2 }));
  await until(() => jobs.length === 1);
  tell({ kind: "emitted", files: [file("a")] });
  tell({ kind: "finished", contract: "v1", commands: [], warnings: [] });
  await settle();
  const next = fetch(compileRequest(BODY));
  await until(() => jobs.length === 2);
  tell({ kind: "finished", contract: "v1", commands: [], warnings: [] });
  assertEquals((await next).status, 200);
  assertEquals(framesOf(await slow.text()).map(({ event }) => event), ["meta", "file", "done"]);
});

function file(path: string): OutputFile {
  return { path, content: "", sha256: "" };
}

/** A compiler that says what the test tells it to, to whichever compile began last. */
function toldCompiler() {
  const jobs: { readonly signal: AbortSignal }[] = [];
  const inboxes: ReadableStreamDefaultController<CompileEvent>[] = [];
  const compiler: Compiler = {
    async *compile({ signal }) {
      jobs.push({ signal });
      const events = new ReadableStream<CompileEvent>({
        start: (controller) => void inboxes.push(controller),
      });
      for await (const event of events) {
        yield event;
        if (event.kind === "finished" || event.kind === "failed") return;
      }
    },
  };
  return { compiler, jobs, tell: (event: CompileEvent) => inboxes.at(-1)?.enqueue(event) };
}

function readerOf(answer: Response) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error("The answer has no body");
  return {
    next: async () => (await reader.read()).value ?? "",
    cancel: () => reader.cancel(),
  };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await settle();
}
