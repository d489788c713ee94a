/** Guides that are run as their readers run them, from an empty folder. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { assertEquals } from "@std/assert";
import { freePort } from "../support/free_port.ts";
import { PAGE_DISTANCE } from "../../cli/dev/dev_session.ts";
import { CONFIG, FLAGS, MAIN } from "../cli/command_line.ts";
import { isListening } from "../cli/running_command.ts";
import { until } from "../support/until.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { chromium } from "../support/installed.ts";
import { olderProject } from "../support/older_project.ts";
import { readPage } from "../support/pages.ts";
import { publicResolver } from "../support/public_resolver.ts";
import { programMissing } from "../support/run_snippet.ts";
import { runShellPage } from "../support/shell_page.ts";
import { withTempFolder } from "../support/temp_folder.ts";

/** The command as its readers type it, and as it is run here. */
const COMMAND = "npx quickback";
const COMMAND_HERE = `'${Deno.execPath()}' run ${FLAGS.join(" ")} --config '${CONFIG}' '${MAIN}'`;

Deno.test("the tutorial works word for word", async () => {
  await using resolver = publicResolver();
  const api = freePort();
  await runShellPage({
    page: await readPage("docs/guides/tutorial.md"),
    replaced: { [COMMAND]: COMMAND_HERE, "http://localhost:8000": `http://localhost:${api}` },
    env: {
      PORT: String(api),
      WEBHOOK_RESOLVER_URL: `http://127.0.0.1:${resolver.addr.port}/`,
    },
    ready: ["Watching"],
    async then() {
      const page = api + PAGE_DISTANCE;
      await until("the page is served", () => isListening(page));
      await visit(`http://localhost:${page}`);
    },
  });
});

Deno.test("the example of the README works word for word", async () => {
  const api = freePort();
  await runShellPage({
    page: await readPage("README.md"),
    replaced: { [COMMAND]: COMMAND_HERE, "http://localhost:8000": `http://localhost:${api}` },
    env: { PORT: String(api) },
    ready: ["Watching"],
  });
});

Deno.test("an API is looked after as the guide to operations says", async () => {
  const [api, copy] = [freePort(), freePort()];
  await runShellPage({
    page: await readPage("docs/guides/operations.md"),
    replaced: {
      [COMMAND]: COMMAND_HERE,
      "http://localhost:8000": `http://localhost:${api}`,
      "8001": String(copy),
    },
    env: { PORT: String(api) },
    ready: ["Listening on", "Listening on"],
  });
});

Deno.test("own code around an API works as its guide says", async () => {
  const api = freePort();
  await runShellPage({
    page: await readPage("docs/guides/own-code.md"),
    replaced: { [COMMAND]: COMMAND_HERE, "http://localhost:8000": `http://localhost:${api}` },
    env: { PORT: String(api) },
    ready: ["Watching"],
  });
});

Deno.test("jobs and schedules work as their guide says", async () => {
  const api = freePort();
  await runShellPage({
    page: await readPage("docs/guides/jobs.md"),
    replaced: { [COMMAND]: COMMAND_HERE, "http://localhost:8000": `http://localhost:${api}` },
    env: { PORT: String(api) },
    ready: ["Watching"],
  });
});

Deno.test("files work as their guide says", async () => {
  const api = freePort();
  await runShellPage({
    page: await readPage("docs/guides/files.md"),
    replaced: { [COMMAND]: COMMAND_HERE, "http://localhost:8000": `http://localhost:${api}` },
    env: { PORT: String(api) },
    ready: ["Watching"],
  });
});

Deno.test("the ways to sign in work as their guide says", async () => {
  const api = freePort();
  await runShellPage({
    page: await readPage("docs/guides/sign-in.md"),
    replaced: { [COMMAND]: COMMAND_HERE, "http://localhost:8000": `http://localhost:${api}` },
    env: { PORT: String(api) },
    ready: ["Watching"],
  });
});

Deno.test("data steps of migrations work as their guide says", async () => {
  await runShellPage({
    page: await readPage("docs/guides/data-steps.md"),
    replaced: { [COMMAND]: COMMAND_HERE },
  });
});

Deno.test("tests of a project work as their guide says", async () => {
  await runShellPage({
    page: await readPage("docs/guides/testing.md"),
    replaced: { [COMMAND]: COMMAND_HERE },
  });
});

Deno.test({
  name: "what the guide to moving writes compiles, and its data arrives",
  ignore: await programMissing("sqlite3", "-version") !== null,
  async fn() {
    const [api, adopted] = [freePort(), freePort()];
    const input = (name: string) =>
      fileURLToPath(new URL(`../unit/adoption/input/${name}`, import.meta.url));
    await withTempFolder(async (folder) => {
      await writeOlderProject(folder);
      await runShellPage({
        page: await readPage("docs/guides/moving.md"),
        replaced: {
          [COMMAND]: COMMAND_HERE,
          "git clone -q https://git.example.com/atelier.git": `git clone -q '${folder}' atelier`,
          "npx wrangler d1 export atelier --remote --output": `cp '${input("d1_export.sql")}'`,
          "npx wrangler d1 export atelier-auth --remote --output": `cp '${
            input("d1_auth_export.sql")
          }'`,
          "http://localhost:8000": `http://localhost:${api}`,
          "8001": String(adopted),
        },
        env: { PORT: String(api) },
        ready: ["Listening on", "Listening on"],
      });
    });
  },
});

/** A project of the first implementation whose author has nothing left to decide, as git has it. */
async function writeOlderProject(folder: string): Promise<void> {
  for (const [path, text] of Object.entries(await olderProject(6))) {
    await Deno.mkdir(dirname(join(folder, path)), { recursive: true });
    const decided = text.replace("cms: true,", 'auth: { roleHierarchy: ["member", "owner"] },');
    await Deno.writeTextFile(join(folder, path), decided);
  }
  const who = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  for (const args of [["init", "-q"], ["add", "."], [...who, "commit", "-qm", "As it was"]]) {
    const { success } = await new Deno.Command("git", { args: ["-C", folder, ...args] }).output();
    assertEquals(success, true);
  }
}

/** Signs in on the page, and reads what it lists; without a browser, that the page is there. */
async function visit(address: string): Promise<void> {
  const executablePath = chromium();
  if (executablePath === null) {
    assertEquals((await (await fetch(address)).text()).includes("Sign in"), true);
    return;
  }
  await withBrowser(executablePath, async (browser) => {
    const page = await newPage(browser);
    await page.goto(address);
    await page.getByText("Sign in").click();
    assertEquals(await page.locator("li").innerText(), "Eve (eve@example.com): shipped");
  });
}
