/**
 * Refuses JSON that no operation may take (definitions 7, traps): keys that reach prototypes, numbers that no double holds,
 * and shapes too deep or too large to walk. Refuses with `VALIDATION_ERROR`.
 */
import { jsonFaultOf } from "../../lib/json_faults.ts";
import { hasMoreMembers } from "../../lib/json_members.ts";
import { pointerTo } from "../../lib/json_pointer.ts";
import { refuse } from "../refusal.ts";

export const BODY_MEMBERS_MAX = 50_000;

const MEMBERS_SHOWN_MAX = 8;
const MEMBER_SHOWN_LENGTH = 64;

/** Refuses a text of more members than any body may have before it is read: reading them costs more than all else. */
export function requireFewMembers(json: string): void {
  if (!hasMoreMembers(json, BODY_MEMBERS_MAX)) return;
  const message = `Must not have more than ${BODY_MEMBERS_MAX} members in all`;
  refuse("VALIDATION_ERROR", { details: { fields: { "": message } }, pointer: "" });
}

export function requireSafeJson(value: unknown): void {
  const fault = jsonFaultOf(value, { membersMax: BODY_MEMBERS_MAX });
  if (fault === null) return;
  const shown = fault.path.slice(0, MEMBERS_SHOWN_MAX)
    .map((member) => member.slice(0, MEMBER_SHOWN_LENGTH).toWellFormed());
  refuse("VALIDATION_ERROR", {
    details: { fields: { [shown[0] ?? ""]: fault.message } },
    pointer: pointerTo(...shown),
  });
}
