/** The pages of mailed links in a real browser that runs no script: readable, in reach of everybody, and each does what it says. */
import { LINKED_MAILS, type LinkedMail } from "../../shared/model/email.ts";
import { withBrowser } from "../support/browser.ts";
import { fairJudge, scriptlessPage } from "../support/fair_page.ts";
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
            const page = await scriptlessPage(browser);
            const judge = await fairJudge(browser);
            const isFair = async (name: string) => await judge(await page.content(), name);
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
