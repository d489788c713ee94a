/** Threads that compile: what ends them, and that another takes their place. */
import { assertEquals, assertRejects } from "@std/assert";
import { CompilePool, startCompileWorker } from "../../../container/compile_pool.ts";
import type { CompileEvent } from "../../../shared/service/mod.ts";
import { BARE_HOST } from "../../support/sample_files.ts";
import { projectBody } from "../../support/build_service.ts";

const { rawFiles } = JSON.parse(await projectBody());
const INPUT = { files: rawFiles, actionInputSchemas: {} };

Deno.test("a thread compiles one project after the other", async () => {
  let started = 0;
  using pool = new CompilePool({
    size: 1,
    start: () => {
      started += 1;
      return startCompileWorker(BARE_HOST);
    },
  });
  const first = await Array.fromAsync(pool.compile(job(AbortSignal.timeout(60_000))));
  assertEquals(first.at(-1)?.kind, "finished");
  assertEquals(await Array.fromAsync(pool.compile(job(AbortSignal.timeout(60_000)))), first);
  assertEquals(started, 1);
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
  });
  const left = new AbortController();
  const events = pool.compile(job(left.signal));
  await events.next();
  left.abort(new Error("left"));
  await assertRejects(() => drained(events), Error, "left");
  assertEquals(threads.length, 2);
  const next = await Array.fromAsync(pool.compile(job(AbortSignal.timeout(60_000))));
  assertEquals(next.at(-1)?.kind, "finished");
});

Deno.test("a thread that crashes is an error, not an answer, and is replaced", async () => {
  const broken = "data:text/javascript,onmessage = () => { throw new Error('broken') }";
  let started = 0;
  using pool = new CompilePool({
    size: 1,
    start: () => {
      started += 1;
      return started === 1 ? new Worker(broken, { type: "module" }) : startCompileWorker(BARE_HOST);
    },
  });
  const crashed = pool.compile(job(AbortSignal.timeout(60_000)));
  await assertRejects(() => drained(crashed), Error, "broken");
  assertEquals(started, 2);
  const next = await Array.fromAsync(pool.compile(job(AbortSignal.timeout(60_000))));
  assertEquals(next.at(-1)?.kind, "finished");
});

function job(signal: AbortSignal) {
  return { input: INPUT, complete: true, signal };
}

async function drained(events: AsyncGenerator<CompileEvent, void, void>): Promise<void> {
  while (!(await events.next()).done);
}
