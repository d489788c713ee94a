/** Judges a page as people meet it: in light and dark, on a narrow screen, with what axe finds. */
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { assertEquals } from "./assert.ts";
import { newPage } from "./browser.ts";

/** Of the narrowest screen that pages are made for. */
export const NARROW = { width: 390, height: 740 };

/** A page that runs no script of what it shows. */
export async function scriptlessPage(browser: Browser): Promise<Page> {
  return await newPage(await browser.newContext({ javaScriptEnabled: false, viewport: NARROW }));
}

/** Judges what another page shows: that takes a script, which the page itself does not run. */
export type Judge = (shown: string, name: string) => Promise<void>;

export async function fairJudge(browser: Browser): Promise<Judge> {
  const page = await newPage(await browser.newContext({ viewport: NARROW }));
  return async (html, name) => {
    await page.setContent(html);
    await requireFair(page, name);
  };
}

/** Nothing that axe objects to, nothing wider than the screen, nothing to press that a thumb would miss (WCAG 2.2, 2.5.8). */
async function requireFair(page: Page, name: string): Promise<void> {
  await page.evaluate(axe.source);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate<readonly string[]>(
      `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => violations
        .map(({ id, nodes }) => id + ": " + nodes[0].html))`,
    );
    assertEquals(found, [], `${name}, ${colorScheme}`);
    const folder = Deno.env.get("SHOTS");
    if (folder) {
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png`, fullPage: true });
    }
  }
  assertEquals(await page.evaluate("document.documentElement.scrollWidth"), NARROW.width, name);
  const small = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll("button, summary, label.line, input:not([type=hidden], .line *)")]
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 24)
      .map((one) => one.outerHTML)`,
  );
  assertEquals(small, [], name);
}
