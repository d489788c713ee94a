/** `GET /problems/{code}`: what the `type` of a problem document means, for everybody (contract 2.7). */
import { RUNTIME_CODES } from "../../contract/codes.ts";
import { problemPage } from "../../contract/problem_pages.ts";
import { bySlug, PROBLEM_CODES, PROBLEM_PATH } from "../../contract/problem_types.ts";
import { prefersJson } from "../../lib/media_types.ts";
import { PROBLEM_OPERATION } from "../../surface/problem_operation.ts";
import type { RequestContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import { type Endpoint, serviceGate } from "../gate.ts";

const CODES = bySlug(PROBLEM_CODES);

export const PROBLEM_ENDPOINT: Endpoint = {
  id: PROBLEM_OPERATION.id,
  method: PROBLEM_OPERATION.method,
  path: `${PROBLEM_PATH}/:id`,
  gate: serviceGate(PROBLEM_OPERATION),
  // deno-lint-ignore require-await -- What it throws is a rejection, as of every endpoint.
  handle: async (request, slug) => pageOf(request, slug),
};

function pageOf({ headers, app }: RequestContext, slug: string): Response {
  const code = CODES.get(slug) ?? refuse("ROUTE_NOT_FOUND");
  const { baseUrl } = app.settings;
  const about = { ...RUNTIME_CODES[code], code };
  return problemPage(about, { baseUrl, asJson: prefersJson(headers.get("accept")) });
}
