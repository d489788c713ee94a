/** `deno task test` outlives a test process that dies, and says which file it was. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { batchesOf, testFilesIn } from "../../support/runner/batches.ts";
import { isShort } from "../../support/runner/seconds.ts";
import measured from "../../support/runner/seconds.json" with { type: "json" };
import { withSteadyFolder } from "../../support/temp_folder.ts";

const DIES = `Deno.test("dies", () => Deno.kill(Deno.pid, "SIGKILL"));`;

Deno.test("the test command names the file whose process died, and runs all others", async () => {
  const run = await runOver({
    "a_test.ts": `Deno.test("before", () => {});`,
    "b_test.ts": DIES,
    "c_test.ts": `Deno.test("after", () => {}); Deno.test("also after", () => {});`,
  });
  assertEquals(run.code, 1);
  assertStringIncludes(
    run.output,
    "b_test.ts died with signal SIGKILL, it runs once more by itself",
  );
  assertStringIncludes(
    run.output,
    "b_test.ts died with signal SIGKILL, and again by itself: it counts as failed",
  );
  assertStringIncludes(run.output, "FAILED | 3 passed | 1 failed");
});

Deno.test("a file that passes by itself after its process died passes, and the death is told", async () => {
  const run = await runOver({
    "a_test.ts": `Deno.test("before", () => {});`,
    "b_test.ts": `
      Deno.test("dies once", () => {
        const mark = new URL("./died", import.meta.url);
        try {
          Deno.statSync(mark);
        } catch {
          Deno.writeTextFileSync(mark, "");
          Deno.kill(Deno.pid, "SIGKILL");
        }
      });`,
  });
  assertEquals(run.code, 0, run.output);
  assertStringIncludes(run.output, "b_test.ts died with signal SIGKILL");
  assertStringIncludes(run.output, "ok | 2 passed | 0 failed");
});

Deno.test("a test that fails is counted, and shown with its message", async () => {
  const run = await runOver({
    "a_test.ts": `Deno.test("wrong", () => { throw new Error("two is not three"); });`,
  });
  assertEquals(run.code, 1);
  assertStringIncludes(run.output, "two is not three");
  assertStringIncludes(run.output, "FAILED | 0 passed | 1 failed");
});

Deno.test("the end of a run names each failed test with its file and the first lines of its error", async () => {
  const failing = (name: string) => `Deno.test("${name}", () => { throw new Error("${name}!"); });`;
  const run = await runOver({
    "a_test.ts": `${failing("wrong")} Deno.test("steps", async (t) => {
      await t.step("right", () => {});
      await t.step("not right", () => { throw new Error("two is\\nnot three"); });
    });`,
    "b_test.ts": DIES,
    "c_test.ts": Array.from({ length: 30 }, (_, at) => failing(`one of many ${at}`)).join("\n"),
  });
  const end = run.output.slice(run.output.indexOf("The failed tests:"));
  assertStringIncludes(end, "/a_test.ts: wrong\n");
  assertStringIncludes(end, "/b_test.ts: died with signal SIGKILL\n");
  assertStringIncludes(end, "/c_test.ts: one of many 3\n    Error: one of many 3!\n");
  assertStringIncludes(end, "and 13 more\n\nFAILED | 0 passed | 33 failed");
  assertEquals(end.split("\n").length < 50, true, end);
});

Deno.test("an error's lines are told where there is room for them", async () => {
  const run = await runOver({
    "a_test.ts": `Deno.test("steps", async (t) => {
      await t.step("not right", () => { throw new Error("two is\\nnot three"); });
    });`,
    "b_test.ts": `Deno.test("after", () => {});`,
  });
  const end = run.output.slice(run.output.indexOf("The failed tests:"));
  assertStringIncludes(end, "/a_test.ts: steps ... not right\n    Error: two is\n    not three\n");
});

Deno.test("a file that cannot be loaded fails, and the files after it run", async () => {
  const run = await runOver({
    "a_test.ts": `throw new Error("no such tests");`,
    "b_test.ts": `Deno.test("after", () => {});`,
  });
  assertEquals(run.code, 1);
  assertStringIncludes(run.output, "no such tests");
  assertStringIncludes(run.output, "a_test.ts is loaded");
  assertStringIncludes(run.output, "FAILED | 1 passed | 1 failed");
});

Deno.test("an error outside of every test fails its own file alone, and the files after it run", async () => {
  const run = await runOver({
    "a_test.ts": `Deno.test("before", () => {});`,
    "b_test.ts": `
      Deno.test({ name: "leaves an error behind", sanitizeOps: false, fn() {
        queueMicrotask(() => { throw new Error("nobody waits for this"); });
      } });
      Deno.test("waits", () => new Promise((resolve) => setTimeout(resolve, 50)));`,
    "c_test.ts": `Deno.test("after", () => {});`,
  });
  assertEquals(run.code, 1);
  assertStringIncludes(run.output, "nobody waits for this");
  assertStringIncludes(run.output, "b_test.ts died with an error outside of every test");
  const [, passed, failed] = /FAILED \| (\d+) passed \| (\d+) failed/.exec(run.output) ?? [];
  assertEquals([Number(passed) >= 2, Number(failed) >= 1], [true, true], run.output);
});

Deno.test("a file that does not type-check fails the run, and is named", async () => {
  const run = await runOver({ "a_test.ts": `const one: string = 1;` });
  assertEquals(run.code, 1);
  assertStringIncludes(run.output, "TS2322");
  assertStringIncludes(run.output.slice(-100), "FAILED | types are wrong: not all tests ran");
});

Deno.test("a seed decides which files share a process, and in which order; another seed decides otherwise", () => {
  const files = Array.from({ length: 200 }, (_, at) => `tests/none/${at}_test.ts`);
  const first = batchesOf(files, 1);
  assertEquals(batchesOf(files, 1), first);
  assertNotEquals(batchesOf(files, 2), first);
  assertEquals(first.flatMap(({ files }) => files).toSorted(), files.toSorted());
  assert(first.length > 1);
});

Deno.test("a run takes a seed and prints it, and refuses what is none", async () => {
  const one = { "a_test.ts": `Deno.test("runs", () => {});` };
  assertMatch((await runOver(one, "--seed", "7")).output, /^Seed 7 /);
  const wrong = await runOver(one, "--seed", "x");
  assertEquals([wrong.code, wrong.output], [1, '--seed takes a whole number, not "x"\n']);
});

Deno.test("the files that take long are measured ones that are there", async () => {
  const files = await testFilesIn(["tests"]);
  const long = files.filter((file) => !isShort(file));
  assert(long.length > 10 && long.length < files.length / 3);
  for (const file of Object.keys(measured)) assert(files.includes(file), `${file} is gone`);
});

async function runOver(
  files: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> {
  return await withSteadyFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "tests/run.ts", folder, ...options],
      env: { NO_COLOR: "1", DENO_JOBS: "1" },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
  }, "run");
}
