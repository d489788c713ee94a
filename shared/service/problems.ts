/** `GET /problems/{code}`: what the `type` of a problem document means, for everybody (contract 2.7). */
import { bySlug, problemPage } from "../contract/problem_types.ts";
import { prefersJson } from "../lib/http.ts";
import { ServiceRefusal } from "./refusal.ts";
import { ANSWER_CODES, rowOf } from "./response/hints.ts";

const CODES = bySlug(ANSWER_CODES);

export function problemAnswer({ headers }: Request, slug: string, baseUrl: string): Response {
  const code = CODES.get(slug);
  if (code === undefined) throw new ServiceRefusal("ROUTE_NOT_FOUND");
  const asJson = prefersJson(headers.get("accept"));
  return problemPage({ ...rowOf(code), code }, { baseUrl, asJson });
}
