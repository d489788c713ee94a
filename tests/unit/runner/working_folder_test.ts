/** Commands that run in the tests' own process find their folder in any company. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { resolve } from "node:path";
import "playwright-core";
import { runHere } from "../../cli/command_line.ts";
import { withTempFolder } from "../../support/temp_folder.ts";

Deno.test("a command runs in its folder, also where a browser's library keeps the working folder", async () => {
  const before = resolve(".");
  await withTempFolder(async (folder) => {
    const { err } = await runHere(["users", "list", "api"], { cwd: folder });
    assertStringIncludes(
      err,
      `There is no database "${folder}/api/.quickback/dev/app.db"`,
    );
  });
  assertEquals(resolve("."), before);
});
