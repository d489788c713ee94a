/** An output with Deno itself: its lock is complete, nothing changes it, and nothing is warned of. */
import { join } from "node:path";
import { assertEquals } from "@std/assert";
import { inFolder, runCli } from "./command_line.ts";

const STARTER = new URL("../../examples/helpdesk/", import.meta.url).pathname;

/** What an author, an image and a pipeline run. */
const COMMANDS = [
  ["install", "--frozen"],
  ["install", "--frozen", "--entrypoint", "src/main.ts", "src/migrate.ts"],
  ["task", "migrate"],
];

Deno.test("an output's lock is complete: nothing that is run there changes it, or warns", () =>
  inFolder(async (folder) => {
    const out = join(folder, "api");
    const { code, err } = await runCli(["compile", STARTER, "--out", out], { cwd: folder });
    assertEquals(code, 0, err);
    await Deno.copyFile(join(out, ".env.example"), join(out, ".env"));
    const before = await Deno.readTextFile(join(out, "deno.lock"));
    for (const args of COMMANDS) {
      assertEquals(await warningsOf(args, out), [], args.join(" "));
      assertEquals(await Deno.readTextFile(join(out, "deno.lock")), before, args.join(" "));
    }
  }));

async function warningsOf(args: readonly string[], cwd: string): Promise<readonly string[]> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  const text = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n");
  assertEquals(success, true, text);
  return text.split("\n").filter((line) => /warn/i.test(line));
}
