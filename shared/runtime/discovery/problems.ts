/** `GET /problems/{code}`: what the `type` of a problem document means, for everybody (contract 2.7). */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { problemHtml, problemJson } from "../../contract/problem_pages.ts";
import { PROBLEM_CODES, PROBLEM_PATH, problemSlug } from "../../contract/problem_types.ts";
import { acceptedWeights } from "../../lib/media_types.ts";
import { PROBLEM_OPERATION } from "../../surface/problem_operation.ts";
import type { RequestContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import { HINTS } from "../response/hints.ts";
import type { Endpoint } from "../router.ts";

const CODES = new Map(PROBLEM_CODES.map((code) => [problemSlug(code), code]));
const CACHE = "public, max-age=300";

export const PROBLEM_ENDPOINT: Endpoint = {
  id: PROBLEM_OPERATION.id,
  method: PROBLEM_OPERATION.method,
  path: `${PROBLEM_PATH}/:id`,
  // deno-lint-ignore require-await -- What it throws is a rejection, as of every endpoint.
  handle: async (request, slug) => pageOf(request, slug),
};

function pageOf({ headers, app }: RequestContext, slug: string): Response {
  const code = CODES.get(slug) ?? refuse("ROUTE_NOT_FOUND");
  const about = { ...RUNTIME_CODES[code], code, hint: HINTS[code] };
  const common = { "cache-control": CACHE, vary: "Accept" };
  if (prefersJson(headers)) {
    const json = JSON.stringify(problemJson(about, app.settings.baseUrl));
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

/** Asked for by name, and not less than the page. */
function prefersJson(headers: Headers): boolean {
  const weights = acceptedWeights(headers.get("accept"));
  const json = Math.max(
    weights.get("application/json") ?? 0,
    weights.get("application/problem+json") ?? 0,
  );
  return json > 0 && json >= (weights.get("text/html") ?? 0);
}
