/**
 * Requests of account routes, held against their description before the library sees them. Refuses with `VALIDATION_ERROR`,
 * `VALIDATION_INVALID_INPUT` and what any JSON body is refused with.
 */
import type { JsonObject } from "../../lib/json_object.ts";
import type { AuthOperation } from "../../surface/accounts/operation.ts";
import type { RequestContext } from "../context.ts";
import { refuse } from "../refusal.ts";
import { requireFields } from "../request/require_fields.ts";

/** The known parameters of the query, with their question mark; empty without any. */
export function knownQuery({ query }: AuthOperation, search: string): string {
  const sent = new URLSearchParams(search);
  const known = Object.keys(query.shape).filter((name) => sent.has(name));
  const repeated = known.find((name) => sent.getAll(name).length > 1);
  if (repeated !== undefined) refuseParameter(repeated, "is there more than once");
  const values = Object.fromEntries(known.map((name) => [name, sent.get(name)]));
  const reading = query.safeParse(values);
  if (!reading.success) {
    const [issue] = reading.error.issues;
    refuseParameter(String(issue?.path[0] ?? ""), `is not as described: ${issue?.message ?? ""}`);
  }
  const kept = new URLSearchParams(known.map((name) => [name, sent.get(name) ?? ""]));
  return kept.size === 0 ? "" : `?${kept}`;
}

function refuseParameter(name: string, problem: string): never {
  return refuse("VALIDATION_INVALID_INPUT", {
    detail: `The parameter "${name}" ${problem}`,
    details: { parameter: name },
  });
}

/** The body as the library gets it, spelled anew from what was validated. No body is an empty one. */
export async function knownBody(
  { body: schema }: AuthOperation,
  { body }: Pick<RequestContext, "body">,
): Promise<JsonObject> {
  const sent = (await body.bytes()).byteLength === 0 ? {} : await body.object();
  return schema === null ? sent : requireFields<JsonObject>(schema, sent);
}
