/** The playground's page in a real browser, as its tests use it. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { assert, assertEquals } from "@std/assert";
import { newPage, withBrowser } from "../support/browser.ts";
import { chromium } from "../support/installed.ts";

/** Path of the browser; null: none is installed, and the tests are left out. */
export const BROWSER = chromium();

/** Nothing that keeps somebody out, in light and dark; every tab shows in a usual window, and a narrow one needs no scrolling to the side. */
export async function isForEverybody(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  const hidden = `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(
    document.querySelector("[role=tablist]"))`;
  assertEquals(await page.evaluate(hidden), 0);
  await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      const found = await page.evaluate<readonly string[]>(
        `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
          .filter(({ impact }) => impact === "serious" || impact === "critical")
          .map(({ id, nodes }) => id + ": " + nodes[0].html))`,
      );
      assertEquals(found, [], `${colorScheme}, ${await tab.textContent()}`);
    }
  }
  await page.setViewportSize({ width: 360, height: 740 });
  for (const tab of await page.getByRole("tab").all()) {
    await tab.click();
    assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 360);
  }
}

/** Sends the operation as prefilled, and returns the answer's status. */
export async function ask(page: Page, operation: string, person: string): Promise<string> {
  await page.getByLabel("As", { exact: true }).selectOption(person);
  await page.getByLabel("Operation").selectOption(operation);
  await page.waitForFunction("document.querySelector('#api-body').value !== ''");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator(".answer").waitFor();
  return await page.locator(".answer-status strong").innerText();
}

/** Fails when the page complains, or asks anybody but its own server for anything. */
export async function visiting(
  address: string,
  body: (page: Page) => Promise<void>,
): Promise<void> {
  await withBrowser(BROWSER, async (browser) => {
    const page = await newPage(browser);
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
  });
}
