/** The pages of the API: plain HTML without a script, in no frame, and with nothing from anywhere. */
import { sha256 } from "../../../lib/bytes.ts";
import { htmlText } from "../../../lib/texts.ts";
import { shown } from "./shown.ts";
import type { Wording } from "./wording.ts";

export interface PageOptions {
  /** Absent: the page is in English. */
  readonly wording?: Wording;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** Default: 200. */
  readonly status?: number;
  /** The address that a form leads to at last, besides this server. */
  readonly leadsTo?: string | undefined;
}

/** A page as an answer, with nothing from anywhere. */
export async function pageOf(
  { wording, title, body, status = 200, leadsTo }: PageOptions,
): Promise<Response> {
  const html = `<!doctype html>
<html lang="${htmlText(wording?.language ?? "en")}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${shown(title, 200)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  const style = (await sha256(STYLE)).toBase64();
  return new Response(html, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": [
        "default-src 'none'",
        `style-src 'sha256-${style}'`,
        "img-src data:",
        "base-uri 'none'",
        `form-action 'self'${leadsTo === undefined ? "" : ` ${sourceOf(leadsTo)}`}`,
        "frame-ancestors 'none'",
      ].join("; "),
      "x-frame-options": "DENY",
      // With no referrer at all, browsers would send a form as from nowhere.
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
    },
  });
}

/** A form's answer may lead only where its page says (CSP3, form-action); its syntax has no addresses in brackets. */
function sourceOf(uri: string): string {
  const { origin, protocol, hostname } = new URL(uri);
  return hostname.startsWith("[") ? protocol : origin;
}

/** What went wrong with a form, above it; empty for nothing. */
export function problemText(problem: string | undefined): string {
  return problem === undefined ? "" : `<p class="problem" role="alert">${htmlText(problem)}</p>`;
}

const STYLE = `
:root { color-scheme: light dark }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
main { max-width: 34rem; margin: 2rem auto; padding: 0 1rem 2rem }
h1 { font-size: 1.4rem; line-height: 1.3; font-weight: 500 }
h2 { font-size: 1.1rem; margin-bottom: .25rem }
fieldset { border: 1px solid color-mix(in srgb, currentColor 35%, transparent); border-radius: .4rem; margin: .75rem 0; min-width: 0 }
legend { font-weight: 600; padding: 0 .3rem }
label { display: block; margin-top: .75rem; font-weight: 600 }
label.line { display: flex; gap: .6rem; align-items: baseline; margin: 0; padding: .35rem 0; font-weight: 400 }
input:not([type=radio], [type=checkbox]) { box-sizing: border-box; width: 100%; font: inherit; padding: .5rem }
a { color: inherit }
code { font-size: .85em }
button { font: inherit; padding: .6rem 1.2rem; min-height: 2.75rem; cursor: pointer }
button.main { font-weight: 600; margin-top: 1rem }
.choice { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end }
details { margin-top: 2rem }
summary { min-height: 1.75rem; cursor: pointer }
.problem { border-left: .3rem solid; padding-left: .75rem; font-weight: 600 }
`;
