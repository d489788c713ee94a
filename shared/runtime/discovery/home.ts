/** `/` in development: a page with the ways into this API, for a person who opens its address. In production there is none. */
import { prefersJson } from "../../lib/http.ts";
import { htmlText } from "../../lib/texts.ts";
import { DISCOVERY_PATHS } from "../../surface/mod.ts";
import type { RequestContext } from "../context.ts";

const PATH = "/";

/** Style of its own, and nothing from anywhere. */
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cache-control": "no-store",
  vary: "Accept",
};

/** Null: another path, a caller who did not ask for HTML, or a service in production, where `/` is no route. */
export function homePage(
  request: RequestContext,
  hasRoute: (path: string) => boolean,
): Response | null {
  const { method, path, headers, app: { settings } } = request;
  if (settings.production || path !== PATH || !["GET", "HEAD"].includes(method)) return null;
  const accept = headers.get("accept");
  if (!accept?.toLowerCase().includes("text/html") || prefersJson(accept)) return null;
  return new Response(pageOf(request, hasRoute), { headers: HEADERS });
}

/** A way into the API: what it is called, its address, and a word about it. */
type Entry = readonly [name: string, content: string, about: string];

function pageOf({ app }: RequestContext, hasRoute: (path: string) => boolean): string {
  const { project: { name, openapi }, settings, switches } = app;
  const readers = { authenticated: "For signed-in callers", admin: "For platform roles" };
  const gate = openapi.publish === "authenticated" || openapi.publish === "admin"
    ? readers[openapi.publish]
    : "For everybody";
  const published: readonly Entry[] = [
    ["Try it", DISCOVERY_PATHS.docs, gate],
    ["Description", DISCOVERY_PATHS.openapi, gate],
    ["For language models", DISCOVERY_PATHS.llms, gate],
    ["Health", "/health", "Whether it can serve"],
  ];
  const { playground = null, page = null, database = null } = settings.devPlaces ?? {};
  const entries: readonly Entry[] = [
    ["API", text(settings.baseUrl + switches.apiBase), "Every route is below it"],
    ...published.filter(([, path]) => hasRoute(path))
      .map(([title, path, about]): Entry => [title, link(path), about]),
    ...entry("Page", page && link(page), "The project's own, with the API beside it"),
    ...entry(
      "Playground",
      playground && link(playground),
      "Opens with the address that dev printed: it holds a key",
    ),
    ...entry("Database", database && text(database), "The file that dev keeps"),
  ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${htmlText(name)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${htmlText(name)}</h1>
<p>This API is in development. In production this address is no route.</p>
<dl>
${
    entries.map(([title, content, about]) =>
      `<dt>${htmlText(title)}</dt><dd>${content} <small>${htmlText(about)}</small></dd>`
    ).join("\n")
  }
</dl>
</body>
</html>
`;
}

function entry(name: string, content: string | null, about: string): readonly Entry[] {
  return content === null ? [] : [[name, content, about]];
}

function link(address: string): string {
  return `<a href="${htmlText(address)}">${htmlText(address)}</a>`;
}

function text(content: string): string {
  return `<code>${htmlText(content)}</code>`;
}

const STYLE = `
body { max-width: 46rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5rem 1.5rem }
dt { font-weight: 600 }
dd { margin: 0; overflow-wrap: anywhere }
small { display: block; opacity: .7 }
`;
