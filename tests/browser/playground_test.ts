/** The playground in a real browser: a mistake is shown in its place, and what is saved is served (definitions 8). */
import { chromium as browserType, type Page } from "playwright-core";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { freePort } from "../../cli/dev/port_relay.ts";
import { inFolder, runCli } from "../cli/command_line.ts";
import { RunningCommand } from "../cli/running_command.ts";
import { chromium } from "../support/installed.ts";

const executablePath = chromium();
const PATIENCE_MILLISECONDS = 60_000;
const NOTES = "quickback/features/notes/notes.ts";

Deno.test({
  name:
    "the playground shows a mistake in its place, saves what is mended, and tries the new route",
  ignore: executablePath === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    inFolder(async (folder) => {
      await runCli(["new", "empty", "shop"], { cwd: folder });
      await using dev = RunningCommand.dev(["shop", "--port", String(freePort())], folder);
      await dev.says("Watching");
      const address = /http:\/\/127\.0\.0\.1:\d+\/#\w+/.exec(dev.out)?.[0] ?? dev.out;
      await visiting(address, async (page) => {
        await page.getByRole("button", { name: "notes.ts" }).click();
        const good = await Deno.readTextFile(`${folder}/shop/${NOTES}`);
        await page.getByText("No mistakes").first().waitFor();

        await replaceLine(page, "body: q.text()", "body: q.texx(),");
        const finding = page.locator(".findings .finding");
        await finding.waitFor();
        assertStringIncludes(await finding.innerText(), "Unknown column builder q.texx()");
        assertStringIncludes(await finding.innerText(), "notes.ts:9:11");
        assertEquals(await page.locator(".cm-lintRange-error").innerText(), "q.texx");
        await page.locator(".cm-lintRange-error").hover();
        const hover = page.locator(".cm-tooltip .finding-hover");
        await hover.waitFor();
        assertStringIncludes(await hover.innerText(), "COLUMN_BUILDER");
        assertEquals(await Deno.readTextFile(`${folder}/shop/${NOTES}`), good);

        await replaceLine(page, "body: q.texx()", "body: q.text(), color: q.text(),");
        await page.getByText("No mistakes").first().waitFor();
        await page.getByRole("button", { name: "New…" }).click();
        await page.getByLabel("Path in the project").fill("quickback/features/tasks/tasks.ts");
        await page.getByRole("button", { name: "Create" }).click();
        await page.getByText("Validation of what is typed").waitFor();
        await page.keyboard.press("Control+s");
        await page.locator(".unsaved-word").waitFor({ state: "detached" });
        assertStringIncludes(await Deno.readTextFile(`${folder}/shop/${NOTES}`), "color: q.text()");

        await page.getByRole("tab", { name: "API" }).click();
        const operation = page.getByLabel("Operation");
        await operation.locator('option[value="createTasks"]').waitFor({ state: "attached" });
        assertEquals(await ask(page, "createTasks", "demo"), "201");
        assertStringIncludes(await page.locator(".answer-body").innerText(), '"title":');
        assertEquals(await ask(page, "createTasks", ""), "401");
        assertEquals(await page.locator(".layer.refused").textContent(), "authentication: refused");
      });
    }),
});

/** Writes over the line of the open file, but for its indentation. */
async function replaceLine(page: Page, line: string, text: string): Promise<void> {
  await page.locator("#editor .cm-line", { hasText: line }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.insertText(text);
}

/** Sends the operation as prefilled, and returns the answer's status. */
async function ask(page: Page, operation: string, person: string): Promise<string> {
  await page.getByLabel("As", { exact: true }).selectOption(person);
  await page.getByLabel("Operation").selectOption(operation);
  await page.waitForFunction("document.querySelector('#api-body').value !== ''");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".answer").waitFor();
  return await page.locator(".answer-status strong").innerText();
}

/** Fails when the page complains, or asks anybody but its own server for anything. */
async function visiting(address: string, body: (page: Page) => Promise<void>): Promise<void> {
  const browser = await browserType.launch({
    executablePath: executablePath ?? "",
    args: ["--no-sandbox"],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MILLISECONDS);
    const [origins, complaints] = [new Set<string>(), new Set<string>()];
    page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.protocol !== "data:") origins.add(url.origin);
    });
    page.on("pageerror", (error) => complaints.add(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.add(message.text());
    });
    await page.goto(address);
    await body(page);
    assertEquals([...origins], [new URL(address).origin]);
    assertEquals([...complaints], []);
    assert(!page.url().includes("#"), "The token stays in the address");
  } finally {
    await browser.close();
  }
}
