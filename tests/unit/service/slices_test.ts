/** Compiles in a thread that others share (definitions 7, `/compile` limits): nobody waits for a phase to end. */
import { assert, assertEquals } from "@std/assert";
import type { CompileEvent } from "../../../shared/service/mod.ts";
import { stepCompiler } from "../../../shared/service/step_compiler.ts";
import { compileRequest, json, ManualTimers, testService } from "../../support/build_service.ts";

const FILES = 250;
const VALIDATE = "?complete=false";

/** Of as many files as take a while, none of them large. */
const PROJECT = {
  "quickback/quickback.config.ts": 'export default { name: "large" };',
  ...Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`quickback/lib/l${at}.ts`, "export const a = 1;"]),
  ),
};

/** The stages that have begun, and a turn for each slice. */
async function slices(
  now: () => number,
  onTurn: (turns: number) => void = () => {},
  signal = new AbortController().signal,
): Promise<{ readonly turns: number; readonly events: readonly CompileEvent[] }> {
  let turns = 0;
  const compiler = stepCompiler({
    host: null,
    check: null,
    now,
    turn: () => {
      onTurn(++turns);
      return Promise.resolve();
    },
  });
  const input = { files: PROJECT, actionInputSchemas: {} };
  const events = await Array.fromAsync(compiler.compile({ input, complete: false, signal }));
  return { turns, events };
}

Deno.test("a slice ends when it has taken 15 ms, inside of a phase, too", async () => {
  let clock = 0;
  const { turns } = await slices(() => clock += 5);
  // Three steps a slice; parsing, checking and reading the code take one step a file each.
  assert(turns > FILES, `${turns} turns`);
});

Deno.test("a slice ends after a hundred steps where the clock stands still", async () => {
  const { turns, events } = await slices(() => 0);
  const stages = events.filter(({ kind }) => kind === "progress").length;
  assertEquals(stages, 5);
  assert(turns > stages + 3 * Math.floor(FILES / 100) - 1, `${turns} turns`);
});

Deno.test("what a compile tells does not depend on its slices", async () => {
  let clock = 0;
  assertEquals((await slices(() => clock += 20)).events, (await slices(() => 0)).events);
});

Deno.test("a compile that nobody waits for stops inside of a phase", async () => {
  const client = new AbortController();
  let clock = 0;
  let last = 0;
  const left = slices(
    () => clock += 20,
    (turns) => {
      last = turns;
      if (turns === 20) client.abort(new Error("left"));
    },
    client.signal,
  );
  assertEquals(await left.then(() => null, (error: Error) => error.message), "left");
  assertEquals(last, 20);
});

Deno.test("a compile whose time is up stops inside of a phase and is answered", async () => {
  const timers = new ManualTimers();
  let turns = 0;
  let clock = 0;
  const compiler = stepCompiler({
    host: null,
    check: null,
    now: () => clock += 20,
    turn: async () => {
      if (++turns === 20) await service.timers.pass(30_000);
      await timers.wait(0);
    },
  });
  const service = testService({ backend: "edge", compiler });
  const body = JSON.stringify({ rawFiles: PROJECT });
  const answer = await service.fetch(compileRequest(body, { query: VALIDATE }));
  assertEquals([answer.status, (await json(answer)).code], [408, "COMPILE_TIMEOUT"]);
  assertEquals(turns, 20);
  // Its turn is free again.
  const next = await service.fetch(compileRequest(body, { query: VALIDATE }));
  assertEquals(next.status, 200);
  await next.body?.cancel();
});

Deno.test("others are answered while a compile is inside of a phase", async () => {
  let clock = 0;
  const answered: number[] = [];
  let turns = 0;
  const compiler = stepCompiler({
    host: null,
    check: null,
    now: () => clock += 20,
    turn: async () => {
      turns += 1;
      await new Promise((resolve) => setTimeout(resolve));
    },
  });
  const service = testService({ backend: "edge", compiler });
  const body = JSON.stringify({ rawFiles: PROJECT });
  const compiling = service.fetch(compileRequest(body, { query: VALIDATE }));
  while (turns < 10) await new Promise((resolve) => setTimeout(resolve));
  const health = await service.fetch(new Request("https://build.test/health"));
  answered.push(turns);
  assertEquals((await json(health)).status, "ok");
  assertEquals((await compiling).status, 200);
  assert(turns > (answered[0] ?? 0) + 100, `${answered[0]} of ${turns} turns`);
  await (await compiling).body?.cancel();
});
