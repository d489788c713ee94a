/** The page of the example field-service in a real browser, as `dev --seed` serves it: the office and a technician, side by side. */
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { newPage, withBrowser } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { RunningCommand } from "../cli/running_command.ts";
import { chromium } from "../support/installed.ts";
import { withTempFolder } from "../support/temp_folder.ts";

const executablePath = chromium();
const EXAMPLE = fileURLToPath(new URL("../../examples/field-service", import.meta.url));

/** Gives the body a browser, and the address of the page that `dev` serves. */
function withPage(body: (browser: Browser, address: string) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const copied = await new Deno.Command("cp", { args: ["-R", EXAMPLE, `${folder}/service`] })
      .output();
    assertEquals(copied.success, true);
    const port = String(freePort());
    await using dev = RunningCommand.dev(["service", "--seed", "--port", port], folder);
    await dev.says("Watching");
    const address = /Page +(http:\/\/localhost:\d+\/)/.exec(dev.out)?.[1] ?? dev.out;
    await withBrowser(executablePath, (browser) => body(browser, address));
  });
}

/** Somebody with a browser of their own, who has signed in. */
async function visiting(browser: Browser, address: string, name: string) {
  const page = await newPage(await browser.newContext());
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
  await page.getByLabel("Email").fill(`${name}@example.com`);
  await page.getByLabel("Password").fill(`${name}-password`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Harbour Heating" }).waitFor();
  return { page, complaints };
}

const entry = (page: Page, title: string) => page.locator("#stages a", { hasText: title });

/** Nothing that keeps somebody out, in light and dark, and no scrolling to the side at any width. */
async function assertForEverybody(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const found = await page.evaluate<readonly string[]>(
        "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))",
      );
      assertEquals(found, [], `${colorScheme}, ${width}`);
      assertEquals(await page.evaluate("document.documentElement.scrollWidth"), width);
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

Deno.test({
  name: "the page of field-service shows an office and a technician what is theirs, as it changes",
  ignore: executablePath === null,
  // The browser's own connection outlives what can be seen of it.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: (t) =>
    withPage(async (browser, address) => {
      const dora = await visiting(browser, address, "dora");
      const tom = await visiting(browser, address, "tom");
      await t.step(
        "an assignment brings an order to its technician, and takes it away",
        async () => {
          await entry(tom.page, "Thermostats").waitFor();
          assertEquals(await entry(tom.page, "Circulation pump").count(), 0);
          await entry(dora.page, "Circulation pump").click();
          await dora.page.getByLabel("Technician").selectOption({ label: "Tom Torres" });
          await dora.page.getByRole("button", { name: "Assign" }).click();
          await entry(tom.page, "Circulation pump").waitFor();
          await dora.page.getByRole("button", { name: "Take Tom Torres off" }).click();
          await entry(tom.page, "Circulation pump").waitFor({ state: "detached" });
        },
      );
      await t.step("what a technician does, the office sees with its total", async () => {
        await entry(dora.page, "Thermostats").click();
        await entry(tom.page, "Thermostats").click();
        await tom.page.getByRole("button", { name: "Start" }).click();
        await tom.page.getByLabel("What", { exact: true }).fill("Thermostat");
        await tom.page.getByLabel("Quantity").fill("12");
        await tom.page.getByLabel("Price of one").fill("39.95");
        await tom.page.getByRole("button", { name: "Add" }).first().click();
        await dora.page.getByRole("cell", { name: "€ 479.40" }).first().waitFor();
        await tom.page.getByRole("button", { name: "Done" }).click();
        await tom.page.getByText("report a visit first").waitFor();
        await tom.page.getByLabel("Minutes").fill("150");
        await tom.page.getByRole("button", { name: "Report the visit" }).click();
        await tom.page.getByRole("cell", { name: "2:30 h" }).first().waitFor();
        await tom.page.getByRole("button", { name: "Done" }).click();
        await dora.page.getByRole("button", { name: "Invoice" }).waitFor();
        assertEquals(await tom.page.getByRole("button", { name: "Invoice" }).count(), 0);
      });
      await t.step("a customer sees their order by its link, and nothing by another", async () => {
        const href = await dora.page.getByRole("link", { name: "The customer's link" })
          .getAttribute("href");
        const page = await newPage(await browser.newContext());
        await page.goto(`${address}${href}`);
        await page.getByRole("heading", { name: "Thermostats of the second floor" }).waitFor();
        await page.getByText("Done on").waitFor();
        await assertForEverybody(page);
        await page.goto(`${address}track.html#nobody-has-this-link`);
        await page.getByRole("heading", { name: "This link leads to no order" }).waitFor();
      });
      await t.step(
        "everybody can use it, in light and dark, at a desk and on the way",
        async () => {
          await assertForEverybody(dora.page);
          await assertForEverybody(tom.page);
        },
      );
      assertEquals([...dora.complaints, ...tom.complaints], []);
    }),
});
