/** `deno task test` outlives a test process that dies, and says which file it was. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { withTempFolder } from "../../support/temp_folder.ts";

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

Deno.test("a file that does not type-check is refused before anything runs", async () => {
  const run = await runOver({ "a_test.ts": `const one: string = 1;` });
  assertEquals(run.code, 1);
  assertStringIncludes(run.output, "TS2322");
});

async function runOver(
  files: Readonly<Record<string, string>>,
): Promise<{ readonly code: number; readonly output: string }> {
  return await withTempFolder(async (folder) => {
    for (const [name, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, text);
    }
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "tests/run.ts", folder],
      env: { NO_COLOR: "1", DENO_JOBS: "1" },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    return { code, output: decoder.decode(stdout) + decoder.decode(stderr) };
  });
}
