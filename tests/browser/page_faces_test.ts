/** Every page that the API has itself, under every kind of face: readable and in reach of everybody, without a script. */
import { LINKED_MAILS } from "../../shared/model/email.ts";
import type { BrandingModel } from "../../shared/model/branding.ts";
import { PAGE_TEXTS, type PageText } from "../../shared/model/page_texts.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import * as oauth from "../../shared/runtime/oauth/pages.ts";
import * as links from "../../shared/runtime/response/pages/link_pages.ts";
import { type Wording, wordingOf } from "../../shared/runtime/response/pages/wording.ts";
import { inWords } from "../../shared/surface/oauth_scopes.ts";
import { assertEquals } from "../support/assert.ts";
import { withBrowser } from "../support/browser.ts";
import { fairJudge } from "../support/fair_page.ts";
import { project } from "../support/sample_project.ts";
import { BROWSER } from "./playground_page.ts";

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 36" width="160" height="36">' +
  '<path fill="#0a3a8f" d="M2 2h32v32H2zM44 8h110v8H44zM44 22h70v8H44z"/></svg>';
const LONG = "Wochenendarbeitszeitgenehmigungsverfahrensverwaltung";

interface Face {
  readonly branding?: BrandingModel;
  readonly language?: string;
}

const FACES: Readonly<Record<string, Face>> = {
  plain: {},
  blue: {
    branding: {
      name: "Northwind Clinic",
      color: "#0a5bd3",
      logo: { type: "image/svg+xml", data: btoa(SVG) },
    },
  },
  gray: { branding: { name: LONG, color: "#777777" } },
  black: { branding: { color: "#000000" } },
  arabic: { branding: { name: "عيادة", color: "#0b7a4b" }, language: "ar" },
};

const clientName = `An assistant called ${LONG}`;
const redirectUri = "https://assistant.example.com/callback";

/** Every page once, with all that it can have on it. */
const PAGES: Readonly<Record<string, (wording: Wording) => Promise<Response>>> = {
  ...Object.fromEntries(LINKED_MAILS.flatMap((act) => {
    const page = (signedIn: links.LinkPage["signedIn"], problem?: PageText) => (wording: Wording) =>
      links.linkPage({
        wording,
        link: {
          act,
          email: "somebody.with.a.long.name@subdomain.example.com",
          requestedAt: "2026-03-01T12:34:56.000Z",
          hasAccount: true,
          ...(act === "changeEmail" ? { newEmail: "new@example.com" } : {}),
          ...(act === "invitation" ? { organization: "Acme & Daughters" } : {}),
        },
        action: "/auth/v1/link",
        hidden: { token: "secret" },
        signedIn,
        hasPasswords: true,
        ...(problem === undefined ? {} : { problem: wording.says(problem), status: 400 }),
      });
    return [
      [`${act}`, page("nobody")],
      [`${act}-signed-in`, page("account")],
      [`${act}-refused`, page("other", "problem.password")],
      [`${act}-done`, (wording: Wording) => links.donePage(wording, act)],
    ] as const;
  })),
  invalid: links.invalidLinkPage,
  secondFactor: links.secondFactorPage,
  refused: (wording) => links.refusedPage(wording, { status: 403, message: "Origin not trusted" }),
  signIn: (wording) => oauth.signInPage({ wording, request: "a=b", hasPasswords: true }),
  signInRefused: (wording) =>
    oauth.signInPage({
      wording,
      request: "a=b",
      hasPasswords: true,
      email: "anna@example.com",
      problem: wording.says("problem.signIn"),
    }),
  signInElsewhere: (wording) => oauth.signInPage({ wording, request: "", hasPasswords: false }),
  code: (wording) =>
    oauth.codePage({ wording, request: "a=b", problem: wording.says("problem.code") }),
  consent: (wording) =>
    oauth.consentPage({
      wording,
      client: { id: "client", name: clientName, redirectUris: [redirectUri] },
      email: "anna@example.com",
      redirectUri,
      ticket: "ticket",
      scopes: inWords(project, ["*:read", "rooms:read", "rooms:delete"], wording.says),
      organizations: [{ id: "1", name: "Acme" }, { id: "2", name: LONG }],
      organizationId: "2",
      platformRole: "sysadmin",
      otherAccount: "/oauth/authorize?prompt=login",
    }),
  lost: (wording) => oauth.lostPage(wording, "The page was not sent as it was made."),
};

for (const [face, { branding, language }] of Object.entries(FACES)) {
  Deno.test({
    name:
      `every page with the face "${face}" is for everybody, in light and dark, on a narrow screen`,
    ignore: BROWSER === null,
    // The browser's own connection outlives what can be seen of it.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: () =>
      withBrowser(BROWSER, async (browser) => {
        const judge = await fairJudge(browser);
        for (const [name, page] of Object.entries(PAGES)) {
          const response = await page(wordingFor(branding, language));
          const html = await response.text();
          assertEquals(/<script|javascript:|\son\w+=/i.test(html), false, name);
          await judge(html, `${face}-${name}`);
        }
      }),
  });
}

function wordingFor(branding: BrandingModel | undefined, language = "en"): Wording {
  const worded: ProjectModel = {
    ...project,
    ...(branding === undefined ? {} : { branding }),
    email: { ...project.email, languages: { [language]: { pages: PAGE_TEXTS } } },
  };
  return wordingOf(worded, new Headers({ "accept-language": language }));
}
