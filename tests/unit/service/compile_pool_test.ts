/** Threads that compile: what ends them, and that another takes their place. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { CompilePool, REST_MS, startCompileWorker } from "../../../container/compile_pool.ts";
import { type CompileEvent, ServiceRefusal } from "../../../shared/service/mod.ts";
import { BARE_HOST } from "../../support/sample_files.ts";
import { ManualTimers, projectBody } from "../../support/build_service.ts";

const { rawFiles } = JSON.parse(await projectBody());
const NEVER = new AbortController().signal;
const INPUT = { files: rawFiles, actionInputSchemas: {} };

Deno.test("a thread compiles one project after the other", async () => {
  let started = 0;
  using pool = new CompilePool({
    size: 1,
    start: () => {
      started += 1;
      return startCompileWorker(BARE_HOST);
    },
    timers: new ManualTimers(),
  });
  const first = await Array.fromAsync(pool.compile(job(NEVER)));
  assertEquals(first.at(-1)?.kind, "finished");
  assertEquals(await Array.fromAsync(pool.compile(job(NEVER))), first);
  assertEquals(started, 1);
});

Deno.test("a pool is quiet before a compile and after it, and not meanwhile", async () => {
  using pool = new CompilePool({
    size: 1,
    start: () => startCompileWorker(BARE_HOST),
    timers: new ManualTimers(),
  });
  await pool.quiet();
  const events = pool.compile(job(NEVER));
  await events.next();
  const order: string[] = [];
  const quiet = pool.quiet().then(() => order.push("quiet"));
  for await (const event of events) order.push(event.kind);
  await quiet;
  assertEquals(order.slice(-2), ["finished", "quiet"]);
});

Deno.test("a pool that nobody has used holds one thread, and a compile beside another starts its own", async () => {
  let started = 0;
  using pool = new CompilePool({
    size: 2,
    start: () => {
      started += 1;
      return startCompileWorker(BARE_HOST);
    },
    timers: new ManualTimers(),
  });
  const compiled = () => Array.fromAsync(pool.compile(job(NEVER)));
  assertEquals(started, 1);
  await Promise.all([compiled(), compiled()]);
  await Promise.all([compiled(), compiled()]);
  assertEquals(started, 2);
});

Deno.test("when nobody compiles for a while one thread is left, and it has compiled nothing", async () => {
  const threads: Worker[] = [];
  const ended = new Set<Worker>();
  const timers = new ManualTimers();
  using pool = new CompilePool({
    size: 2,
    start: () => {
      const worker = startCompileWorker(BARE_HOST);
      worker.once("exit", () => ended.add(worker));
      threads.push(worker);
      return worker;
    },
    timers,
  });
  const both = () =>
    Promise.all(
      [1, 2].map(() => Array.fromAsync(pool.compile(job(NEVER)))),
    );
  await both();
  await timers.pass(REST_MS - 1);
  await both();
  assertEquals([threads.length, ended.size], [2, 0]);
  const gone = Promise.all(threads.map((worker) => once(worker, "exit")));
  await timers.pass(REST_MS);
  await gone;
  assertEquals(threads.length, 3);
  const [first] = await both();
  assertEquals(first?.at(-1)?.kind, "finished");
  assertEquals(threads.length, 4);
});

Deno.test("an abandoned compile ends with its thread, and the next one has a new thread", async () => {
  const threads: Worker[] = [];
  using pool = new CompilePool({
    size: 1,
    start: () => {
      const worker = startCompileWorker(BARE_HOST);
      threads.push(worker);
      return worker;
    },
    timers: new ManualTimers(),
  });
  const left = new AbortController();
  const events = pool.compile(job(left.signal));
  await events.next();
  left.abort(new Error("left"));
  await assertRejects(() => drained(events), Error, "left");
  assertEquals(threads.length, 2);
  const next = await Array.fromAsync(pool.compile(job(NEVER)));
  assertEquals(next.at(-1)?.kind, "finished");
});

Deno.test("a thread that crashes is an error, not an answer, and is replaced", async () => {
  const { pool, started } = poolBeginningWith("on('message', () => { throw new Error('broken') })");
  using threads = pool;
  const crashed = threads.compile(job(NEVER));
  const error = await assertRejects(() => drained(crashed), Error, "Compile thread ended");
  assert(error.cause instanceof Error && error.cause.message === "broken");
  assertEquals(started(), 2);
  const next = await Array.fromAsync(threads.compile(job(NEVER)));
  assertEquals(next.at(-1)?.kind, "finished");
});

Deno.test("a compile that fills its thread's memory is refused, and the process lives on", async () => {
  const { pool, started } = poolBeginningWith(
    "on('message', () => setImmediate(() => { for (const all = [];;) all.push({ n: all.length }); }))",
  );
  using threads = pool;
  const filling = threads.compile(job(NEVER));
  const error = await assertRejects(() => drained(filling), ServiceRefusal);
  assert(error instanceof ServiceRefusal && error.code === "PAYLOAD_TOO_LARGE");
  assertEquals(started(), 2);
  const next = await Array.fromAsync(threads.compile(job(NEVER)));
  assertEquals(next.at(-1)?.kind, "finished");
});

Deno.test("a thread that ends between two compiles is no thread of a later one", async () => {
  const { pool, exited } = poolBeginningWith("missing()");
  using threads = pool;
  await exited;
  const events = await Array.fromAsync(threads.compile(job(NEVER)));
  assertEquals(events.at(-1)?.kind, "finished");
});

/** One thread whose first run is a script's, with little memory; any later one compiles. */
function poolBeginningWith(does: string) {
  const script = `import { parentPort } from "node:worker_threads"; parentPort.${does}`;
  const first = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`), {
    resourceLimits: { maxOldGenerationSizeMb: 50 },
  });
  const exited = new Promise((resolve) => first.once("exit", resolve));
  let count = 0;
  const pool = new CompilePool({
    size: 1,
    start: () => ++count === 1 ? first : startCompileWorker(BARE_HOST),
    timers: new ManualTimers(),
  });
  return { pool, exited, started: () => count };
}

function job(signal: AbortSignal) {
  return { input: INPUT, complete: true, signal };
}

async function drained(events: AsyncGenerator<CompileEvent, void, void>): Promise<void> {
  while (!(await events.next()).done);
}
