/** The small, optional bodies of the token endpoints. Refuses with `VALIDATION_ERROR` and what a body is refused with. */
import type { RequestContext } from "../context.ts";
import { refuseMember } from "../refusal.ts";

export type BodyRequest = Pick<RequestContext, "headers" | "body">;

/** Every member is a text that is not empty; none besides the named ones. No body is an empty one. */
export async function textMembers(
  { body }: BodyRequest,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if ((await body.bytes()).byteLength === 0) return new Map();
  const members = Object.entries(await body.object());
  return new Map(members.map(([name, value]) => {
    if (!names.includes(name)) return refuseMember([name], "Unknown field");
    if (typeof value !== "string" || value === "") {
      return refuseMember([name], "Must be a text that is not empty");
    }
    return [name, value];
  }));
}
