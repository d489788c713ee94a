/** A real browser, whose waits end against "never" alone: on a busy machine a page takes its time. */
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const PATIENCE_MS = 300_000;

/** Ends with the body, whatever happens in it. */
export async function withBrowser<T>(
  executablePath: string | null,
  body: (browser: Browser) => Promise<T>,
): Promise<T> {
  const browser = await chromium.launch({
    executablePath: executablePath ?? "",
    args: ["--no-sandbox"],
    timeout: PATIENCE_MS,
  });
  try {
    return await body(browser);
  } finally {
    await browser.close();
  }
}

/** An empty page. */
export async function newPage(opener: Browser | BrowserContext): Promise<Page> {
  const page = await opener.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  return page;
}
