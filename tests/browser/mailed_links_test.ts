/** The pages of mailed links in a real browser that runs no script: readable, in reach of everybody, and each does what it says. */
import axe from "axe-core";
import type { Page } from "playwright-core";
import { assertEquals } from "@std/assert";
import { LINKED_MAILS, type LinkedMail } from "../../shared/model/email.ts";
import { newPage, withBrowser } from "../support/browser.ts";
import { freePort } from "../support/free_port.ts";
import { CHOSEN_PASSWORD, LINK_KINDS, LINK_PASSWORD, linkScene } from "../support/mailed_links.ts";
import { signInProject, withSignIn } from "../support/sign_in.ts";
import { BROWSER } from "./playground_page.ts";

const project = signInProject({ magicLink: true });

/** Fills in what the page asks for. */
const TYPED: Readonly<Record<LinkedMail, readonly [label: RegExp, text: string] | null>> = {
  invitation: [/^Password of/, LINK_PASSWORD],
  verifyEmail: [/^Password of/, LINK_PASSWORD],
  resetPassword: [/^New password/, CHOSEN_PASSWORD],
  changeEmail: [/^Password of/, LINK_PASSWORD],
  deleteAccount: [/^Password of/, LINK_PASSWORD],
  magicLink: null,
};

for (const mail of LINKED_MAILS) {
  Deno.test({
    name: `the page of ${mail} can be used without a script, in light and dark, on a narrow screen`,
    ignore: BROWSER === null,
    // The browser's own connection outlives what can be seen of it.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () => {
      const port = freePort();
      const baseUrl = `http://localhost:${port}`;
      return withSignIn(project, async (plain) => {
        const scene = await linkScene(plain);
        const { pathname, search } = await LINK_KINDS[mail].asked(scene);
        const server = Deno.serve(
          { port, hostname: "localhost", onListen: () => {} },
          (request) => scene.api.fetch(request, { clientIp: null }),
        );
        try {
          await withBrowser(BROWSER, async (browser) => {
            const context = await browser.newContext({
              javaScriptEnabled: false,
              viewport: { width: 390, height: 740 },
            });
            const page = await newPage(context);
            // Judging takes a script, which the page itself would not run.
            const judged = await newPage(
              await browser.newContext({ viewport: { width: 390, height: 740 } }),
            );
            const isFair = async (name: string) => {
              await judged.setContent(await page.content());
              await requireFair(judged, name);
            };
            await page.goto(baseUrl + pathname + search);
            await isFair(mail);
            const typed = TYPED[mail];
            if (typed !== null) await page.getByLabel(typed[0]).fill(typed[1]);
            await page.locator("button.main").click();
            await page.getByText("You can close this page.").waitFor();
            await isFair(`${mail}-done`);
            await page.goto(baseUrl + pathname + search);
            await page.getByText("This link is not good any more").first().waitFor();
            await isFair(`${mail}-used`);
          });
        } finally {
          await server.shutdown();
        }
      }, { baseUrl });
    },
  });
}

/** Judges a page in light and dark: contrast and names by axe, nothing wider than the screen, buttons that a thumb meets. */
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
    if (folder) await page.screenshot({ path: `${folder}/${name}-${colorScheme}.png` });
  }
  assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 390, name);
}
