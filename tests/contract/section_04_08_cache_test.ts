/** Compiles that were done before, and those that others ask for at the same time (docs/decisions/build_service.md). */
import { assertEquals, assertMatch } from "@std/assert";
import { CompileCache } from "../../container/cache/compile_cache.ts";
import type { CompileEvent, Compiler } from "../../shared/service/mod.ts";
import { stepCompiler } from "../../shared/service/step_compiler.ts";
import {
  compileRequest,
  json,
  KEY,
  projectBody,
  settle,
  STREAM_V1,
  STREAM_V2,
  testService,
} from "../support/build_service.ts";
import { BARE_HOST } from "../support/sample_files.ts";

const BODY = await projectBody();
const COMPILER = stepCompiler({ host: BARE_HOST, check: null, turn: () => Promise.resolve() });
const FINISHED: CompileEvent = { kind: "finished", contract: "v1", commands: [], warnings: [] };

Deno.test("the same project answers from the cache, byte for byte, as document and as streams", async () => {
  const { compiler, jobs } = countedCompiler();
  const fresh = testService();
  const cached = testService({ compiler, store: memoryCache() });
  for (const headers of [{}, STREAM_V1, STREAM_V2]) {
    const text = async (service: typeof fresh) =>
      await (await service.fetch(compileRequest(BODY, { headers }))).text();
    assertEquals(await text(cached), await text(fresh));
    assertEquals(await text(cached), await text(fresh));
  }
  assertEquals(jobs.length, 1);
});

Deno.test("Server-Timing says where a result came from", async () => {
  const { fetch } = testService({ store: memoryCache() });
  const from = async (query = "", body = BODY) => {
    const answer = await fetch(compileRequest(body, { query }));
    await answer.body?.cancel();
    return /cache;desc="(\w+)"/.exec(answer.headers.get("server-timing") ?? "")?.[1];
  };
  assertEquals([await from(), await from()], ["miss", "hit"]);
  assertEquals([await from("?complete=false"), await from("?complete=false")], ["miss", "hit"]);
  const { rawFiles } = JSON.parse(BODY);
  const [path = ""] = Object.keys(rawFiles);
  const changed = JSON.stringify({ rawFiles: { ...rawFiles, [path]: `${rawFiles[path]}\n` } });
  assertEquals([await from("", changed), await from()], ["miss", "hit"]);
});

Deno.test("`vendor: false` leaves the runtime to the package, and is another request", async () => {
  const { fetch } = testService({ store: memoryCache() });
  const tableSpec = async (words: Readonly<Record<string, unknown>>) => {
    const body = JSON.stringify({ ...JSON.parse(BODY), ...words });
    const answer = await (await fetch(compileRequest(body))).text();
    return /from \\"([^"]+table_spec[^"]*)\\"/.exec(answer)?.[1];
  };
  const carried = "./quickback/model/table_spec.ts";
  assertEquals(await tableSpec({}), carried);
  assertEquals(await tableSpec({ vendor: false }), "quickback/model/table_spec");
  assertEquals(await tableSpec({ vendor: true }), carried);
});

Deno.test("nobody learns that another key has compiled the same, earlier or at the same time", async () => {
  const other = "another-key-of-16-or-more";
  const { compiler, tell, jobs } = toldCompiler();
  const { fetch } = testService({ compiler, store: memoryCache(), apiKeys: [KEY, other] });
  const answers = [KEY, other].map((key) =>
    fetch(compileRequest(BODY, { headers: { "x-api-key": key } }))
  );
  await settle();
  tell(FINISHED);
  const from = await Promise.all(answers.map(async (answer) => {
    await (await answer).body?.cancel();
    return /cache;desc="(\w+)"/.exec((await answer).headers.get("server-timing") ?? "")?.[1];
  }));
  assertEquals(from, ["miss", "miss"]);
  assertEquals(jobs.length, 2);
});

Deno.test("mistakes are kept, too", async () => {
  const { compiler, jobs } = countedCompiler();
  const { fetch } = testService({ compiler, store: memoryCache() });
  const body = JSON.stringify({
    rawFiles: { "quickback/quickback.config.ts": "export default 1" },
  });
  const [first, again] = [
    await json(await fetch(compileRequest(body))),
    await json(await fetch(compileRequest(body))),
  ];
  assertEquals(first.code, "COMPILE_FAILED");
  assertEquals([again.detail, again.errors], [first.detail, first.errors]);
  assertEquals(jobs.length, 1);
});

Deno.test("a failure of ours is not kept", async () => {
  let compiles = 0;
  const { fetch } = testService({
    store: memoryCache(),
    compiler: {
      compile: (job) => {
        if (++compiles === 1) throw new Error("broken");
        return COMPILER.compile(job);
      },
    },
  });
  const statuses = [];
  for (let turn = 0; turn < 2; turn++) {
    const answer = await fetch(compileRequest(BODY));
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  assertEquals(statuses, [500, 200]);
});

Deno.test("requests for the same at the same time share one compile and one turn", async () => {
  const { compiler, tell, jobs } = toldCompiler();
  const { fetch } = testService({ compiler, store: memoryCache(), running: 1, waiting: 0 });
  const answers = Array.from({ length: 5 }, () => fetch(compileRequest(BODY)));
  await settle();
  tell(FINISHED);
  const texts = await Promise.all(answers.map(async (answer) => await (await answer).text()));
  assertEquals(new Set(texts).size, 1);
  assertEquals(jobs.length, 1);
});

Deno.test("one who leaves takes nothing from the others; when all have left, the compile ends", async () => {
  const { compiler, tell, jobs } = toldCompiler();
  const { fetch } = testService({ compiler, store: memoryCache() });
  const leaving = Array.from({ length: 3 }, () => new AbortController());
  const answers = leaving.map(({ signal }) =>
    fetch(compileRequest(BODY, { signal, headers: STREAM_V2 }))
  );
  await settle();
  leaving[0]?.abort();
  await settle();
  assertEquals(jobs[0]?.signal.aborted, false);
  const [left, stays, other] = await Promise.all(answers);
  tell(FINISHED);
  assertMatch(await stays?.text() ?? "", /event: done/);
  assertMatch(await other?.text() ?? "", /event: done/);
  assertEquals((await left?.text() ?? "").includes("event: done"), false);

  const alone = new AbortController();
  const next = toldCompiler();
  const service = testService({ compiler: next.compiler, store: memoryCache() });
  const answer = service.fetch(compileRequest(BODY, { signal: alone.signal, headers: STREAM_V2 }));
  await settle();
  alone.abort();
  await settle();
  assertEquals(next.jobs[0]?.signal.aborted, true);
  await (await answer).body?.cancel();
});

Deno.test("who comes after an abandoned compile begins a new one", async () => {
  const { compiler, tell, jobs } = toldCompiler();
  const { fetch } = testService({ compiler, store: memoryCache() });
  const left = new AbortController();
  const first = fetch(compileRequest(BODY, { signal: left.signal, headers: STREAM_V2 }));
  await settle();
  left.abort();
  await settle();
  const second = fetch(compileRequest(BODY));
  await settle();
  tell(FINISHED);
  assertEquals((await second).status, 200);
  assertEquals(jobs.length, 2);
  await (await second).body?.cancel();
  await (await first).body?.cancel();
});

Deno.test("a kept result answers while every turn is taken", async () => {
  const { compiler, tell } = toldCompiler();
  const store = memoryCache();
  const warm = testService({ store });
  await (await warm.fetch(compileRequest(BODY))).body?.cancel();
  const { fetch } = testService({ compiler, store, running: 1, waiting: 0 });
  const busy = fetch(compileRequest(await projectBody("helpdesk")));
  await settle();
  const answer = await fetch(compileRequest(BODY));
  assertEquals(answer.status, 200);
  await answer.body?.cancel();
  tell(FINISHED);
  await (await busy).body?.cancel();
});

function memoryCache(): CompileCache {
  return new CompileCache({
    host: BARE_HOST,
    program: Promise.resolve("test"),
    memoryMaxBytes: 16 * 1024 * 1024,
    disk: null,
  });
}

interface Jobs {
  readonly compiler: Compiler;
  readonly jobs: readonly { readonly signal: AbortSignal }[];
}

function countedCompiler(): Jobs {
  const jobs: { readonly signal: AbortSignal }[] = [];
  const compile: Compiler["compile"] = (job) => {
    jobs.push(job);
    return COMPILER.compile(job);
  };
  return { compiler: { compile }, jobs };
}

/** Ends when it is told to. */
function toldCompiler(): Jobs & { readonly tell: (event: CompileEvent) => void } {
  const jobs: { readonly signal: AbortSignal }[] = [];
  const told = Promise.withResolvers<CompileEvent>();
  async function* compile(job: Parameters<Compiler["compile"]>[0]) {
    jobs.push(job);
    yield await told.promise;
  }
  return { compiler: { compile }, jobs, tell: told.resolve };
}
