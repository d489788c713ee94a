/** The example's page in a real browser, as `dev` serves it: signing in, working, and what others do meanwhile (docs/client.md). */
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { DEMO_PASSWORD } from "../../cli/dev/demo/accounts.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { RunningCommand } from "../cli/running_command.ts";
import { chromium } from "../support/installed.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const executablePath = chromium();
const EXAMPLE = fileURLToPath(new URL("../../examples/helpdesk", import.meta.url));

/** Gives the body a browser, and the address of the page that `dev` serves. */
function withPage(body: (browser: Browser, address: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const copied = await new Deno.Command("cp", { args: ["-R", EXAMPLE, `${folder}/desk`] })
      .output();
    assertEquals(copied.success, true);
    await using dev = RunningCommand.dev(["desk", "--port", String(freePort())], folder);
    await dev.says("Watching");
    const address = /Page +(http:\/\/localhost:\d+\/)/.exec(dev.out)?.[1] ?? dev.out;
    await withBrowser(executablePath, (browser) => body(browser, address));
  });
}

/** A page of a browser of its own, whose complaints are kept. */
async function visiting(browser: Browser, address: string) {
  const context = await browser.newContext();
  const page = await newPage(context);
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
  return { page, context, complaints };
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(DEMO_PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

const ticket = (page: Page, subject: string) => page.locator("#tickets tr", { hasText: subject });

Deno.test({
  name: "the helpdesk's page serves its people",
  ignore: executablePath === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: (t) =>
    withPage(async (browser, address) => {
      await t.step("it shows another organization nothing of the first", async () => {
        const { page } = await visiting(browser, address);
        await signIn(page, "neighbour@example.com");
        await page.getByRole("heading", { name: "Globex" }).waitFor();
        const rows = page.locator("#tickets tr");
        await rows.first().waitFor();
        assertEquals(await rows.count(), 1);
      });
      await t.step(
        "it signs in, opens a ticket, and shows what others do as it happens",
        async () => {
          const [ann, ben] = [await visiting(browser, address), await visiting(browser, address)];
          await ann.page.getByLabel("Email").fill("demo@example.com");
          await ann.page.getByLabel("Password").fill("not the password");
          await ann.page.getByRole("button", { name: "Sign in" }).click();
          await ann.page.getByText("Invalid email or password").waitFor();

          for (const { page } of [ann, ben]) {
            await signIn(page, "demo@example.com");
            await page.getByRole("heading", { name: "Acme" }).waitFor();
          }
          await ann.page.getByLabel("Subject").fill("It does not start <b>");
          await ann.page.getByLabel("Priority").selectOption("urgent");
          await ann.page.getByRole("button", { name: "Open a ticket" }).click();
          for (const { page } of [ann, ben]) await ticket(page, "It does not start <b>").waitFor();

          await ticket(ben.page, "It does not start").getByRole("button", { name: "resolve" })
            .click();
          await ticket(ann.page, "It does not start").getByText("resolved").waitFor();

          await ann.page.reload();
          await ticket(ann.page, "It does not start").getByRole("button", { name: "reopen" })
            .waitFor();
          await ann.page.getByRole("button", { name: "Sign out" }).click();
          await ann.page.getByRole("heading", { name: "Helpdesk" }).waitFor();
          await ann.page.reload();
          await ann.page.getByRole("heading", { name: "Helpdesk" }).waitFor();
          assertEquals([...ann.complaints, ...ben.complaints], []);
        },
      );
    }),
});
