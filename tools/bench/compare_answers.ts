/** Compares the contenders' answers before they are measured. A contender that answers less, or something else, is refused. */
import { assertEquals } from "@std/assert";
import type { Case } from "./cases.ts";
import type { Contender, ContenderName } from "./contender.ts";

/** Requests of a case that are compared. Those of a case that uses up its requests are then gone. */
export const COMPARED_MAX = 3;

/** Throws unless every contender answers the first requests of a case with the generated API's status and body. */
export async function requireEqualAnswers(
  one: Case,
  contenders: readonly Contender[],
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const since = new Date().toISOString();
  for (const { method, path, body = null } of one.requests.slice(0, COMPARED_MAX)) {
    const answers = new Map<ContenderName, unknown>();
    for (const { name, origin } of contenders) {
      const response = await fetch(origin + path, { method, headers, body });
      const answer = { status: response.status, body: comparable(await response.json(), since) };
      if (!response.ok) throw new Error(`${name} refuses ${method} ${path}: ${response.status}`);
      answers.set(name, answer);
    }
    const ours = answers.get("generated");
    for (const [name, answer] of answers) {
      const expected = name === "limit" ? withMembersOf(ours, answer) : ours;
      assertEquals(answer, expected, `${name} answers ${method} ${path} differently`);
    }
  }
}

const CURSORS: readonly string[] = ["nextCursor", "prevCursor"];
/** Ids that a contender made. Those of the data begin with zeros. */
const MADE_ID = /^ticket_(?!0{8})/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Removes values that each contender makes itself: new ids and times, and cursors, which only the generated API has. */
function comparable(value: unknown, since: string): unknown {
  if (Array.isArray(value)) return value.map((one) => comparable(one, since));
  if (typeof value === "string") {
    return MADE_ID.test(value) || (TIME.test(value) && value >= since) ? "made" : value;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [
      key,
      CURSORS.includes(key) ? null : comparable(member, since),
    ]),
  );
}

/** Reduces the generated API's answer to the members that the limit answers, which has no pagination. */
function withMembersOf(ours: unknown, limit: unknown): unknown {
  if (!isObject(ours) || !isObject(limit)) return ours;
  return Object.fromEntries(
    Object.keys(limit).map((key) => [key, withMembersOf(ours[key], limit[key])]),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
