/** `branding`, and texts by language: whatever messages and pages could not show is refused before any is sent (definitions 2, 6). */
import { assert, assertEquals } from "@std/assert";
import { ACCOUNT_MAILS, MAIL_NAMES, mailPlaceholders } from "../../../shared/model/email.ts";
import { LOGO_MAX_BYTES, textOn } from "../../../shared/model/branding.ts";
import { PAGE_TEXTS } from "../../../shared/model/page_texts.ts";
import { NOTICE_KINDS, NOTICES } from "../../../shared/model/security_events.ts";
import { analyzedProject, CONFIG_FILE, toldOf } from "../../support/analysis.ts";

const FOLDER = "quickback/email-templates";
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';
const PNG = "data:image/png;base64," +
  new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]).toBase64();

function branded(branding: string, files: Readonly<Record<string, string>> = {}) {
  return analyzedProject({
    [CONFIG_FILE]: `export default { name: "sample", ${branding} };\n`,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text])),
  });
}

/** The code, and what stands in the message or the way out. */
type Row = readonly [
  title: string,
  branding: string,
  files: Readonly<Record<string, string>>,
  code: string,
  told: RegExp,
];

const LARGE = SVG.replace("<path", `<!--${"x".repeat(LOGO_MAX_BYTES)}--><path`);

const REFUSED: readonly Row[] = [
  ["an unknown key", 'branding: { colour: "#112233" },', {}, "UNKNOWN_KEY", /"color"/],
  ["a colour by its name", 'branding: { color: "red" },', {}, "VALUE_INVALID", /#0a5bd3/],
  ["a short colour", 'branding: { color: "#123" },', {}, "VALUE_INVALID", /#0a5bd3/],
  [
    "a colour with more behind it",
    'branding: { color: "#112233;x" },',
    {},
    "VALUE_INVALID",
    /#0a5bd3/,
  ],
  ["a name on two lines", 'branding: { name: "A\\nB" },', {}, "VALUE_INVALID", /one line/],
  [
    "a name that is an address",
    'branding: { name: "http://a.example" },',
    {},
    "VALUE_INVALID",
    /:\/\//,
  ],
  ["no name", 'branding: { name: " " },', {}, "VALUE_INVALID", /name/],
  [
    "a logo that is not there",
    'branding: { logo: "logo.svg" },',
    { "logos.svg": SVG },
    "LOGO_MISSING",
    /Did you mean "logos.svg"/,
  ],
  [
    "a logo that no file could be",
    'branding: { logo: "../x.svg" },',
    {},
    "LOGO_MISSING",
    /remove branding.logo/,
  ],
  ["a logo of another type", 'branding: { logo: "logo.gif" },', {}, "LOGO_INVALID", /logo.png/],
  [
    "a page as a logo",
    'branding: { logo: "logo.svg" },',
    { "logo.svg": "<html></html>" },
    "LOGO_INVALID",
    /<svg/,
  ],
  [
    "a text as a PNG",
    'branding: { logo: "logo.png" },',
    { "logo.png": "hello" },
    "LOGO_INVALID",
    /signature/,
  ],
  [
    "an SVG as a PNG",
    'branding: { logo: "logo.png" },',
    { "logo.png": SVG },
    "LOGO_INVALID",
    /signature/,
  ],
  [
    "a large logo",
    'branding: { logo: "logo.svg" },',
    { "logo.svg": LARGE },
    "LOGO_INVALID",
    /32768/,
  ],
  ["an image that is no logo", "", { "logo.svg": SVG }, "EMAIL_TEMPLATE_UNKNOWN", /logo.svg/],
  [
    "a folder that is no language",
    "",
    { "german/invitation.txt": "x" },
    "LANGUAGE_UNKNOWN",
    /BCP 47/,
  ],
  [
    "a language that nobody registered",
    "",
    { "xq/invitation.txt": "x" },
    "LANGUAGE_UNKNOWN",
    /BCP 47/,
  ],
  [
    "a region that nobody registered",
    "",
    { "de-QX/invitation.txt": "x" },
    "LANGUAGE_UNKNOWN",
    /BCP 47/,
  ],
  [
    "a language in another spelling",
    "",
    { "pt-br/pages.json": "{}" },
    "LANGUAGE_UNKNOWN",
    /Write "pt-BR"/,
  ],
  ["a language with an underscore", "", { "de_AT/pages.json": "{}" }, "LANGUAGE_UNKNOWN", /BCP 47/],
  [
    "an unknown message of a language",
    "",
    { "de/welcome.html": "x" },
    "EMAIL_TEMPLATE_UNKNOWN",
    /"pages.json", "invitation.html"/,
  ],
  [
    "a folder in a language",
    "",
    { "de/mails/invitation.txt": "x" },
    "EMAIL_TEMPLATE_UNKNOWN",
    /No message/,
  ],
  [
    "an unknown placeholder of a language",
    "",
    { "de/magic-link.txt": "{{name}}" },
    "EMAIL_PLACEHOLDER_UNKNOWN",
    /"url", "token", "email", "app"/,
  ],
  [
    "an unknown placeholder of a subject",
    "",
    { "de/magic-link.txt": "Subject: {{who}}\n\nx" },
    "EMAIL_PLACEHOLDER_UNKNOWN",
    /"who"/,
  ],
  ["pages that are no JSON", "", { "de/pages.json": "{" }, "PAGE_TEXTS_INVALID", /JSON/],
  ["pages that are a list", "", { "de/pages.json": "[]" }, "PAGE_TEXTS_INVALID", /JSON/],
  [
    "an unknown text of the pages",
    "",
    { "de/pages.json": '{ "magicLink.titel": "x" }' },
    "PAGE_TEXT_UNKNOWN",
    /Did you mean "magicLink.title"/,
  ],
  [
    "a name of every object as a text",
    "",
    { "de/pages.json": '{ "constructor": "x" }' },
    "PAGE_TEXT_UNKNOWN",
    /"constructor"/,
  ],
  [
    "a text that is none",
    "",
    { "de/pages.json": '{ "close": 1 }' },
    "PAGE_TEXT_INVALID",
    /"close"/,
  ],
  [
    "a text that says nothing",
    "",
    { "de/pages.json": '{ "magicLink.button": " " }' },
    "PAGE_TEXT_INVALID",
    /built-in/,
  ],
  [
    "a text twice",
    "",
    { "de/pages.json": '{ "close": "a", "close": "b" }' },
    "PAGE_TEXT_TWICE",
    /"close"/,
  ],
  [
    "an unknown placeholder of a page",
    "",
    { "de/pages.json": '{ "close": "{{email}}" }' },
    "EMAIL_PLACEHOLDER_UNKNOWN",
    /"app"/,
  ],
  [
    "an unknown text for every language",
    "",
    { "pages.json": '{ "nope": "x" }' },
    "PAGE_TEXT_UNKNOWN",
    /nope/,
  ],
];

for (const [title, branding, files, code, told] of REFUSED) {
  Deno.test(`Face of a project: ${title} is refused`, () => {
    const errors = toldOf(branded(branding, files).errors);
    const found = errors.filter((line) => line.startsWith(`${code} `));
    assertEquals(found.length, 1, errors.join("\n"));
    assert(told.test(found[0] ?? ""), found[0]);
  });
}

Deno.test("the place of a wrong text of the pages is its key", () => {
  const text = '{\n  "close": "Zu",\n  "nope": "x"\n}\n';
  const [error] = branded("", { "de/pages.json": text }).errors;
  assertEquals([error?.place.file, error?.place.line, error?.place.column], [
    `${FOLDER}/de/pages.json`,
    3,
    3,
  ]);
});

Deno.test("branding and texts by language are part of the project", () => {
  const { model, errors } = branded(
    'branding: { name: "Große Praxis", color: "#0A5BD3", logo: "logo.png" },',
    {
      "logo.png": PNG,
      "pages.json": '{ "close": "Close it." }',
      "invitation.html": "<p>{{url}}</p>",
      "pt-BR/pages.json": '{ "close": "Feche." }',
      "de/pages.json": '{ "magicLink.title": "Bei {{app}} anmelden" }',
      "de/magic-link.txt": "Subject: Anmeldung bei {{app}}\n\n{{url}}\n",
      "de/README.md": "{{anything}}",
    },
  );
  assertEquals(toldOf(errors), []);
  assertEquals(model?.branding, {
    name: "Große Praxis",
    color: "#0a5bd3",
    logo: { type: "image/png", data: PNG.slice(PNG.indexOf(",") + 1) },
  });
  const { templates, pages, languages } = model?.email ?? {};
  assertEquals(templates, { invitation: { html: "<p>{{url}}</p>" } });
  assertEquals(pages, { close: "Close it." });
  assertEquals(languages, {
    de: {
      pages: { "magicLink.title": "Bei {{app}} anmelden" },
      templates: { magicLink: { subject: "Anmeldung bei {{app}}", txt: "{{url}}\n" } },
    },
    "pt-BR": { pages: { close: "Feche." } },
  });
});

Deno.test("a project without a face has no key of one", () => {
  const { model } = branded("");
  assert(model !== null && model !== undefined);
  assertEquals("branding" in model, false);
  assertEquals(Object.keys(model.email).sort(), ["from", "fromName", "provider"]);
});

Deno.test("every message and every text of the pages takes a translation with all its placeholders", () => {
  const words = [
    ...MAIL_NAMES.map((mail) => [ACCOUNT_MAILS[mail].template, mail] as const),
    ...NOTICE_KINDS.map((kind) => [NOTICES[kind], kind] as const),
  ].flatMap(([template, mail]) => {
    const text = mailPlaceholders(mail).map((name) => `{{${name}}}`).join(" ");
    return [[`de/${template}.txt`, text], [`de/${template}.html`, text]] as const;
  });
  const files = { ...Object.fromEntries(words), "de/pages.json": JSON.stringify(PAGE_TEXTS) };
  assertEquals(toldOf(branded("", files).errors), []);
});

Deno.test("the text on any colour is readable", () => {
  for (let color = 0; color <= 0xffffff; color += 0x010307) {
    const hex = `#${color.toString(16).padStart(6, "0")}`;
    const ratio = contrast(hex, textOn(hex));
    assert(ratio >= 4.5, `${hex}: ${ratio}`);
  }
});

/** Contrast of two colours (WCAG 2.2), worked out here once more. */
function contrast(one: string, other: string): number {
  const [a = 0, b = 0] = [one, other].map((color) => {
    const [red = 0, green = 0, blue = 0] = (color.slice(1).match(/../g) ?? []).map((part) => {
      const share = Number.parseInt(part, 16) / 255;
      return share <= 0.04045 ? share / 12.92 : Math.pow((share + 0.055) / 1.055, 2.4);
    });
    return red * 0.2126 + green * 0.7152 + blue * 0.0722;
  }).sort((a, b) => b - a);
  return (a + 0.05) / (b + 0.05);
}
