/**
 * `/docs`: an interactive browser of the description, served whole by this API, behind the publish gate (contract 4.7,
 * 9.5). Its policy lets nothing in from anywhere else.
 */
import type { OpenApiModel, ProjectModel } from "../../model/mod.ts";
import { DISCOVERY_PATHS } from "../../surface/mod.ts";
import type { AppContext } from "../context.ts";
import type { DocsBrowser } from "../ports.ts";
import type { Endpoint } from "../gate.ts";
import { publishedDocument, publishedEndpoint } from "./documents.ts";

type Kind = Exclude<OpenApiModel["docs"], false>;

const SCRIPT = `${DISCOVERY_PATHS.docs}/browser.js`;
const STYLE = `${DISCOVERY_PATHS.docs}/browser.css`;
const START = `${DISCOVERY_PATHS.docs}/start.js`;

/** Both browsers write style attributes; neither needs a script of its own in the page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HTML_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
};
const JAVASCRIPT = "text/javascript; charset=utf-8";
const STYLESHEET = "text/css; charset=utf-8";

/** None where the project wants no browser, or its host brings none. */
export function docsEndpoints({ project }: AppContext, browser: DocsBrowser | null): Endpoint[] {
  const kind = project.openapi.docs;
  if (kind === false || browser === null) return [];
  return [
    publishedDocument("docs", {
      path: DISCOVERY_PATHS.docs,
      text: pageOf(project.name, kind),
      headers: HTML_HEADERS,
    }, project),
    publishedDocument("docsStart", {
      path: START,
      describedAt: DISCOVERY_PATHS.docs,
      text: STARTS[kind],
      headers: { "content-type": JAVASCRIPT },
    }, project),
    asset("docsScript", { path: SCRIPT, type: JAVASCRIPT, read: () => browser.script() }, project),
    asset("docsStyle", { path: STYLE, type: STYLESHEET, read: () => browser.style() }, project),
  ];
}

/** The project's name is lower-case letters, digits and hyphens. */
function pageOf(name: string, kind: Kind): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE}">
</head>
<body class="${kind}">
<div id="app"></div>
<script src="${SCRIPT}"></script>
<script src="${START}"></script>
</body>
</html>
`;
}

/** Neither may load, report or validate anything elsewhere. */
const STARTS: Readonly<Record<Kind, string>> = {
  browser_modern: `Scalar.createApiReference("#app", {
  url: "${DISCOVERY_PATHS.openapi}",
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
});
`,
  browser_classic: `SwaggerUIBundle({
  url: "${DISCOVERY_PATHS.openapi}",
  dom_id: "#app",
  deepLinking: true,
  validatorUrl: null,
});
`,
};

const CACHE_SECONDS = 3600;

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
}

function asset(id: string, { path, type, read }: Asset, project: ProjectModel): Endpoint {
  const headers = { "content-type": type, "cache-control": `private, max-age=${CACHE_SECONDS}` };
  return publishedEndpoint(id, {
    path,
    describedAt: DISCOVERY_PATHS.docs,
    read: async () => new Response(await read(), { headers }),
  }, project);
}
