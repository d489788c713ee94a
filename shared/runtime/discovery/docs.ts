/**
 * `/docs`: an interactive browser of the description, served whole by this API, behind the publish gate (contract 4.7,
 * 9.5). Its policy lets nothing in from anywhere else.
 */
import type { OpenApiModel, ProjectModel } from "../../model/mod.ts";
import { DISCOVERY_PATHS, discoveryOperationsOf, routeAt } from "../../surface/mod.ts";
import type { AppContext } from "../context.ts";
import { type Endpoint, serviceGate } from "../gate.ts";
import type { DocsBrowser } from "../ports.ts";
import type { Handle } from "../route_endpoints.ts";
import { published, publishedText } from "./documents.ts";

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

const CACHE_SECONDS = 3600;

/** The page. */
export function docsHandler({ name }: ProjectModel, kind: Kind): Handle {
  return publishedText(pageOf(name, kind), HTML_HEADERS);
}

/** What the page loads, behind the gate of the page. None where the project wants no browser, or its host brings none. */
export function docsAssets({ project }: AppContext, browser: DocsBrowser | null): Endpoint[] {
  const kind = project.openapi.docs;
  if (kind === false || browser === null) return [];
  const gate = serviceGate(routeAt(DISCOVERY_PATHS.docs, discoveryOperationsOf(project)));
  const asset = (id: string, path: string, handle: Endpoint["handle"]) => ({
    ...{ id, method: "GET", path, gate, handle },
  });
  const kept = (type: string, read: () => Promise<Uint8Array<ArrayBuffer>>) => {
    const headers = { "content-type": type, "cache-control": `private, max-age=${CACHE_SECONDS}` };
    return published(async () => new Response(await read(), { headers }));
  };
  return [
    asset("docsStart", START, publishedText(STARTS[kind], { "content-type": JAVASCRIPT })),
    asset("docsScript", SCRIPT, kept(JAVASCRIPT, () => browser.script())),
    asset("docsStyle", STYLE, kept(STYLESHEET, () => browser.style())),
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
