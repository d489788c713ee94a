/** The playground in a real browser: a mistake is shown in its place, and what is saved is served (definitions 8). */
import type { Page } from "playwright-core";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { freePort } from "../support/free_port.ts";
import { inFolder, runHere } from "../cli/command_line.ts";
import { RunningCommand } from "../cli/running_command.ts";
import { ask, BROWSER, isForEverybody, visiting } from "./playground_page.ts";

const NOTES = "quickback/features/notes/notes.ts";

Deno.test({
  name:
    "the playground shows a mistake in its place, saves what is mended, and tries the new route",
  ignore: BROWSER === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: () =>
    inFolder(async (folder) => {
      await runHere(["new", "empty", "shop"], { cwd: folder });
      await using dev = RunningCommand.dev(["shop", "--port", String(freePort())], folder);
      await dev.says("Watching");
      const address = /http:\/\/127\.0\.0\.1:\d+\/#\w+/.exec(dev.out)?.[0] ?? dev.out;
      await visiting(address, async (page) => {
        await page.getByRole("treeitem", { name: "notes.ts" }).click();
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

        await page.locator(".cm-diagnosticAction", { hasText: "Write q.text()" }).click();
        await page.getByText("No mistakes").first().waitFor();
        await page.locator("#editor .cm-line", { hasText: "body: q.text()" }).waitFor();

        await editsWithTypes(page);
        await walksTree(page);
        await splitsEditor(page);

        await replaceLine(page, "body: q.text()", "body: q.text(), color: q.text(),");
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
        assertStringIncludes(await page.locator("#panel-api .answer-body").innerText(), '"title":');
        assertEquals(await ask(page, "createTasks", ""), "401");
        assertEquals(await page.locator(".layer.refused").textContent(), "authentication: refused");
        await explainsRights(page);
        await isForEverybody(page);
      });
    }),
});

/** Completion, signature, hover and definition of the language service, a rename over files and its one undo, and a mistake of types. */
async function editsWithTypes(page: Page): Promise<void> {
  await page.locator("#editor[data-language=ready]").waitFor();
  await replaceLine(page, "body: q.text()", "body: q");
  await page.keyboard.type(".");
  const completions = page.locator(".cm-tooltip-autocomplete");
  await completions.getByText("timestamp", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.type("text(");
  await page.locator(".signature strong").waitFor();
  await page.keyboard.type("),");
  await page.locator(".signature").waitFor({ state: "detached" });
  await page.getByText("No mistakes").first().waitFor();
  await page.locator("#editor .cm-line span", { hasText: /^feature$/ }).last().hover();
  await page.locator(".described", { hasText: "A resource in one call" }).waitFor();

  await createFile(page, "quickback/lib/words.ts", 'export const WORD = "note";');
  const action = `import { defineAction } from "quickback";
import { z } from "zod";
import { WORD } from "../../../lib/words.ts";

export default defineAction({
  description: "Say a word",
  path: "/words/say",
  method: "POST",
  input: z.object({}),
  access: { roles: ["AUTHENTICATED"] },
  execute: () => Promise.resolve({ word: WORD }),
});
`;
  await createFile(page, "quickback/features/notes/actions/say.ts", action);
  await page.getByText("No mistakes").first().waitFor();
  await leavesSignature(page);
  await page.locator("#editor .cm-line", { hasText: "word: WORD" }).click();
  await page.keyboard.press("End");
  for (let letters = 0; letters < 6; letters++) await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("F2");
  await page.getByLabel("New name of WORD").fill("PHRASE");
  await page.getByRole("button", { name: "Rename", exact: true }).last().click();
  await page.locator("#editor .cm-line", { hasText: "word: PHRASE" }).waitFor();
  await page.keyboard.press("F12");
  await page.locator("#editor .cm-line", { hasText: "export const PHRASE" }).waitFor();
  await page.keyboard.press("Control+z");
  await page.locator("#editor .cm-line", { hasText: "export const WORD" }).waitFor();
  await page.keyboard.press("Control+p");
  await page.getByRole("combobox").fill("word: WORD");
  await page.getByRole("option", { name: "say.ts:11" }).click();

  await replaceLine(page, "word: WORD", "execute: () => Promise.resolv({ word: WORD }),");
  await page.getByRole("tab", { name: "Problems" }).click();
  await page.locator(".problem-fixes .fix", { hasText: "resolve" }).first().click();
  await page.locator("#editor .cm-line", { hasText: "Promise.resolve({ word" }).waitFor();
  await page.getByText("No problems").waitFor();
  for (const name of ["say.ts", "words.ts"]) {
    await page.getByRole("treeitem", { name }).first().click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
    await page.locator(".file", { hasText: name }).waitFor({ state: "detached" });
  }
  await page.getByRole("tab", { name: "Compile" }).click();
  await page.getByRole("treeitem", { name: "notes.ts" }).click();
}

/** A signature that stands behind the end of the next file goes with the file it belongs to, even while it is about to be placed. */
async function leavesSignature(page: Page): Promise<void> {
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("String(");
  await page.locator(".signature").waitFor();
  // The editor measures its tooltips in the frame that follows these 50 milliseconds.
  await page.evaluate(`
    dispatchEvent(new Event("resize"));
    setTimeout(() => [...document.querySelectorAll("[role=treeitem]")]
      .find(({ textContent }) => textContent.includes("words.ts")).click(), 50);`);
  await page.locator(".file-title", { hasText: "words.ts" }).waitFor();
  await page.locator(".signature").waitFor({ state: "detached" });
  await page.getByRole("treeitem", { name: "say.ts" }).first().click();
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+z");
  await page.locator("#editor .cm-line", { hasText: "String(" }).waitFor({ state: "detached" });
}

/** Arrows, ends and letters move in the tree of files, and open what they come to. */
async function walksTree(page: Page): Promise<void> {
  const press = async (key: string, name: string) => {
    await page.keyboard.press(key);
    await page.locator("[role=treeitem]:focus", { hasText: name }).waitFor();
  };
  const notes = page.locator("[role=treeitem]", { hasText: /^notes\.ts$/ });
  await notes.focus();
  await press("ArrowLeft", "notes");
  await press("ArrowLeft", "notes");
  await page.locator("[role=treeitem][aria-expanded=false]:focus").waitFor();
  await notes.waitFor({ state: "detached" });
  await press("ArrowRight", "notes");
  await page.locator("[role=treeitem][aria-expanded=true]:focus").waitFor();
  await press("ArrowRight", "notes.ts");
  const names = await page.getByRole("treeitem").allInnerTexts();
  await press("Home", names[0] ?? "");
  await press("ArrowDown", names[1] ?? "");
  await press("ArrowUp", names[0] ?? "");
  await press("End", names.at(-1) ?? "");
  await press("q", "quickback.config.ts");
  assertEquals(await page.locator('[role=treeitem][tabindex="0"]').count(), 1);
  await page.keyboard.press("Enter");
  await page.locator(".file-title", { hasText: "quickback.config.ts" }).waitFor();
  await page.locator("[role=treeitem][aria-current=true]:focus").waitFor();
  await press("n", "notes");
  await press("n", "notes.ts");
  await page.keyboard.press("Enter");
  await page.locator(".file-title", { hasText: "notes.ts" }).waitFor();
}

/** Two files beside each other in a wide window, each edited for itself; one of them in a narrow one. */
async function splitsEditor(page: Page): Promise<void> {
  const panes = page.locator(".editor-pane");
  const used = page.locator(".editor-pane.used");
  await page.setViewportSize({ width: 1400, height: 800 });
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+\\");
  await panes.nth(1).waitFor();
  await used.getByText("defineConfig({").waitFor();
  await page.locator(".file-title", { hasText: "quickback.config.ts" }).waitFor();
  const widths = await panes.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().x));
  assert((widths[1] ?? 0) > (widths[0] ?? 0) + 100, `One is not beside the other: ${widths}`);

  await page.keyboard.press("Alt+\\");
  await used.locator(".cm-line", { hasText: "body: q.text()" }).waitFor();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("// edited");
  await page.locator(".file-title", { hasText: "notes.ts" }).getByText("unsaved").waitFor();
  await panes.nth(1).locator(".cm-content").click();
  await page.locator(".file-title", { hasText: "quickback.config.ts" }).waitFor();
  // A file that is open beside is used there, not opened twice.
  await page.getByRole("treeitem", { name: "notes.ts" }).click();
  await page.locator(".editor-pane.used[aria-label$='/notes.ts']").waitFor();
  assertEquals(await panes.count(), 2);

  await page.setViewportSize({ width: 1000, height: 800 });
  await panes.nth(1).waitFor({ state: "hidden" });
  assert(await panes.nth(0).isVisible());
  await page.setViewportSize({ width: 1400, height: 800 });
  await panes.nth(1).waitFor();
  await panes.nth(0).locator(".cm-content").click();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("F1");
  await page.getByRole("combobox").fill("Two editors");
  await page.getByRole("option", { name: "Two editors side by side" }).click();
  await panes.nth(1).waitFor({ state: "detached" });
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.locator("#editor .cm-line", { hasText: "// edited" }).waitFor({ state: "detached" });
}

async function createFile(page: Page, path: string, text: string): Promise<void> {
  await page.getByRole("button", { name: "New…" }).click();
  await page.getByLabel("Path in the project").fill(path);
  await page.getByRole("button", { name: "Create" }).click();
  await page.locator(".file-title", { hasText: path.split("/").at(-1) ?? path }).waitFor();
  await page.locator("#editor .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** A cell of the table of rights names the rule that refuses, and leads to its line. */
async function explainsRights(page: Page): Promise<void> {
  await page.getByRole("tab", { name: "Rights" }).click();
  await page.getByRole("button", { name: "no: anonymous, POST /api/v1/tasks", exact: true })
    .click();
  const why = page.locator(".why");
  assertStringIncludes(await why.innerText(), "refused, 401 AUTH_MISSING");
  await why.getByRole("button", { name: "tasks.ts:" }).click();
  await page.locator(".file-title", { hasText: "tasks.ts" }).waitFor();
}

/** Writes over the line of the open file, but for its indentation. */
async function replaceLine(page: Page, line: string, text: string): Promise<void> {
  await page.locator("#editor .cm-line", { hasText: line }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Shift+Home");
  await page.keyboard.insertText(text);
}
