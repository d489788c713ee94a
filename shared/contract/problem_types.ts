/** The URL in a problem's `type` (contract 2.7; RFC 9457, 3.1.1): `{problem_base}/<code-in-kebab-case>`. */
import { type CodeRow, RUNTIME_CODES, type RuntimeCode } from "./codes.ts";

/** Path below the service's own origin, where each problem has a page. */
export const PROBLEM_PATH = "/problems";

export function problemSlug(code: string): string {
  return code.toLowerCase().replaceAll("_", "-");
}

/** Maps the last segment of a problem's URL to its code. */
export function bySlug<Code extends string>(codes: readonly Code[]): ReadonlyMap<string, Code> {
  return new Map(codes.map((code) => [problemSlug(code), code]));
}

export function problemType(code: string, baseUrl: string): string {
  return `${baseUrl}${PROBLEM_PATH}/${problemSlug(code)}`;
}

/** Codes that problem documents of generated APIs may have, sorted. The flat 429 is not among them. */
export const PROBLEM_CODES: readonly RuntimeCode[] = Object.keys(RUNTIME_CODES)
  .filter((code: string): code is RuntimeCode => code !== "RATE_LIMITED").sort();

interface ProblemAbout extends CodeRow {
  readonly code: string;
  /** The way out. */
  readonly hint: string;
}

/** Answers the page of a problem's `type`, as HTML or JSON. It needs no credentials and is the same for all. */
export function problemPage(about: ProblemAbout, baseUrl: string, asJson: boolean): Response {
  const common = { "cache-control": "public, max-age=300", vary: "Accept" };
  if (asJson) {
    const json = JSON.stringify({
      type: problemType(about.code, baseUrl),
      title: about.title,
      status: about.status,
      layer: about.layer,
      code: about.code,
      hint: about.hint,
    });
    return new Response(json, { headers: { ...common, "content-type": "application/json" } });
  }
  return new Response(problemHtml(about), {
    headers: {
      ...common,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'",
    },
  });
}

/** Makes the HTML page. It loads no other resource. */
function problemHtml({ code, layer, status, title, hint }: ProblemAbout): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
</head>
<body>
<h1>${escaped(title)}</h1>
<p><code>${escaped(code)}</code>, status ${status}, refused by the layer ${escaped(layer)}.</p>
<p>${escaped(hint)}.</p>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
