/** Builds the pages of the API: plain HTML without a script, in no frame, with nothing loaded from elsewhere. */
import { sha256 } from "../../../lib/bytes.ts";
import { isRightToLeft } from "../../../lib/languages.ts";
import { htmlText } from "../../../lib/texts.ts";
import { textOn } from "../../../model/mod.ts";
import { shown } from "./shown.ts";
import type { Wording } from "./wording.ts";

export interface PageOptions {
  readonly wording: Wording;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Status of the answer; default: 200. */
  readonly status?: number;
  /** The address to which a form leads in the end, besides this server. */
  readonly leadsTo?: string | undefined;
}

/** Answers with a page that loads nothing from elsewhere. */
export async function pageOf(
  { wording, title, body, status = 200, leadsTo }: PageOptions,
): Promise<Response> {
  const { language, branding: { color } } = wording;
  const style = STYLE +
    (color === undefined ? "" : `:root { --main: ${color}; --on-main: ${textOn(color)} }\n`);
  const html = `<!doctype html>
<html lang="${htmlText(language)}" dir="${isRightToLeft(language) ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${shown(title, 200)}</title>
<style>${style}</style>
</head>
<body>
<header>${mark(wording)}</header>
<main>
${body}
</main>
</body>
</html>
`;
  const styleDigest = (await sha256(style)).toBase64();
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-language": language,
      "content-security-policy": [
        "default-src 'none'",
        `style-src 'sha256-${styleDigest}'`,
        "img-src data:",
        "base-uri 'none'",
        `form-action 'self'${leadsTo === undefined ? "" : ` ${sourceOf(leadsTo)}`}`,
        "frame-ancestors 'none'",
      ].join("; "),
      "x-frame-options": "DENY",
      // Without a referrer browsers would send a form with the origin `null`.
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
    },
  });
}

/** Returns the logo in place of the name; an image in an `img` element runs no script. */
function mark({ app, branding: { logo } }: Wording): string {
  return logo === undefined
    ? shown(app)
    : `<img src="data:${logo.type};base64,${logo.data}" alt="${shown(app)}">`;
}

/**
 * Returns the CSP source of an address. A form's answer may lead only to the sources of its page (CSP3, form-action); their
 * syntax has no addresses in brackets.
 */
function sourceOf(uri: string): string {
  const { origin, protocol, hostname } = new URL(uri);
  return hostname.startsWith("[") ? protocol : origin;
}

/** Returns the text of a form's problem, which is shown above the form; empty for none. */
export function problemText(problem: string | undefined): string {
  return problem === undefined ? "" : `<p class="problem" role="alert">${htmlText(problem)}</p>`;
}

/**
 * Styles of one narrow card. Every text has a contrast of 4.5 to 1 and every edge of a field 3 to 1, in light and dark (WCAG
 * 2.2); a button is as high as a thumb.
 */
const STYLE = `
:root { color-scheme: light dark; --ground: #f4f4f2; --card: #fff; --text: #1c1c1a; --quiet: #5d5d58; --line: #deded9; --edge: #83837c; --warn: #a3261b; --main: #1c1c1a; --on-main: #fff }
@media (prefers-color-scheme: dark) {
:root { --ground: #141413; --card: #1f1f1d; --text: #ededea; --quiet: #a9a9a2; --line: #383835; --edge: #84847c; --warn: #ff9d91; --main: #ededea; --on-main: #1c1c1a }
header img { background: #fff; padding: .375rem; border-radius: .375rem }
}
* { box-sizing: border-box }
body { margin: 0; padding: clamp(1.25rem, 8vh, 5rem) 1rem 2rem; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; text-wrap: pretty }
header, main { max-width: 30rem; margin: 0 auto }
header { padding: 0 .25rem 1rem; font-weight: 600 }
header img { display: block; height: 2.25rem; max-width: 12rem; object-fit: contain }
main { padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
@media (min-width: 30rem) { main { padding: 2rem } }
main > :first-child { margin-top: 0 }
main > :last-child, form > :last-child { margin-bottom: 0 }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -.01em; text-wrap: balance }
h1 strong { font-weight: inherit }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; font-weight: 650 }
p { margin: 0 0 .75rem }
p strong { font-weight: 600 }
.note { color: var(--quiet); font-size: .875rem }
form { margin-top: 1.25rem }
label { display: block; margin-bottom: .375rem; font-weight: 600; font-size: .9375rem }
label ~ label { margin-top: 1rem }
label.line, label.line ~ label.line { display: flex; gap: .75rem; align-items: baseline; margin: 0; padding: .5rem 0; font-weight: 400; font-size: 1rem }
label.line input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0; accent-color: var(--text); translate: 0 .15rem }
input:not([type=radio], [type=checkbox], [type=hidden]) { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: .5rem }
fieldset { min-width: 0; margin: .5rem 0 .75rem; padding: .25rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
legend { padding: 0 .375rem; margin-inline-start: -.375rem; font-size: .875rem; font-weight: 600 }
code { color: var(--quiet); font-size: .8125rem; white-space: nowrap }
a { color: inherit; text-underline-offset: .15em }
button { min-height: 2.75rem; padding: .5rem 1.25rem; font: inherit; font-weight: 600; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: .5rem; cursor: pointer }
button.main { background: var(--main); color: var(--on-main); border-color: color-mix(in srgb, var(--main), var(--text) 40%) }
button.main.grave { background: var(--warn); color: var(--card); border-color: var(--warn) }
form > button { width: 100%; margin-top: 1.25rem }
form:not(:has(label, p)) > button { margin-top: 0 }
button:hover { filter: brightness(1.08) }
:focus-visible { outline: 3px solid var(--text); outline-offset: 2px }
.choice { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem }
.choice button { flex: 1 1 10rem }
details { margin-top: 1.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: .9375rem }
summary { min-height: 1.75rem; font-weight: 600; cursor: pointer }
details p { margin-top: .5rem; color: var(--quiet) }
.problem { padding: .75rem 1rem; color: var(--warn); border: 1px solid; border-radius: .5rem; font-weight: 600 }
`;
