/** Guides that are run as their readers run them, from an empty folder. */
import { chromium as browserType } from "playwright-core";
import { assertEquals } from "@std/assert";
import { freePort } from "../../cli/dev/port_relay.ts";
import { CONFIG, MAIN } from "../cli/command_line.ts";
import { chromium } from "../support/installed.ts";
import { readPage } from "../support/pages.ts";
import { publicResolver } from "../support/public_resolver.ts";
import { programMissing } from "../support/run_snippet.ts";
import { runShellPage } from "../support/shell_page.ts";

/** How the page says that `quickback` is run, and how it is run here. */
const COMMAND = 'npx -y deno run -A --config ~/quickback/deno.json ~/quickback/cli/main.ts "$@"';
const COMMAND_HERE = `'${Deno.execPath()}' run -A --config '${CONFIG}' '${MAIN}' "$@"`;

Deno.test("the tutorial works word for word", async () => {
  await using resolver = publicResolver();
  const [api, web] = [freePort(), freePort()];
  await runShellPage({
    page: await readPage("docs/guides/tutorial.md"),
    replaced: {
      [COMMAND]: COMMAND_HERE,
      "http://localhost:8000": `http://localhost:${api}`,
      "http://localhost:3000": `http://localhost:${web}`,
      "listen(3000": `listen(${web}`,
    },
    env: {
      PORT: String(api),
      WEBHOOK_RESOLVER_URL: `http://127.0.0.1:${resolver.addr.port}/`,
    },
    ready: ["Watching", `http://localhost:${web}`],
    then: () => visit(`http://localhost:${web}`),
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

Deno.test({
  name: "what the guide to moving writes compiles, and its data arrives",
  ignore: await programMissing("sqlite3", "-version") !== null,
  async fn() {
    const api = freePort();
    await runShellPage({
      page: await readPage("docs/guides/moving.md"),
      replaced: { [COMMAND]: COMMAND_HERE, "http://localhost:8000": `http://localhost:${api}` },
      env: { PORT: String(api) },
      ready: ["Listening on"],
    });
  },
});

/** Signs in on the page, and reads what it lists; without a browser, that the page is there. */
async function visit(address: string): Promise<void> {
  const executablePath = chromium();
  if (executablePath === null) {
    assertEquals((await (await fetch(address)).text()).includes("Sign in"), true);
    return;
  }
  const browser = await browserType.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByText("Sign in").click();
    assertEquals(await page.locator("li").innerText(), "Eve (eve@example.com): shipped");
  } finally {
    await browser.close();
  }
}
