/** Which rows two versions of a rule admit one caller to, as far as their forms tell. */
import type { Home } from "../../shared/oracle/principal_class.ts";
import { implies, type Term } from "../../shared/oracle/terms.ts";

/** Ids of the caller that no literal of a rule is. */
export const OWN: Home = {
  userId: "\u0000 the caller's id",
  organizationId: "\u0000 the caller's organization",
  teamId: "\u0000 the caller's team",
};

/** `gain`: every row as before, and perhaps more. `both`: neither can be told to hold all rows of the other. */
export type Turn = "same" | "gain" | "loss" | "both";

export function turnBetween(before: Term, after: Term): Turn {
  const [isKept, isOld] = [implies(before, after), implies(after, before)];
  if (isKept) return isOld ? "same" : "gain";
  return isOld ? "loss" : "both";
}

/** What cannot be proved is told as a gain and as a loss, so that somebody looks. */
export function turnChanges(
  turn: Turn,
  text: string,
): readonly { readonly kind: "gain" | "loss"; readonly text: string }[] {
  const kinds = { same: [], gain: ["gain"], loss: ["loss"], both: ["gain", "loss"] } as const;
  const isOpen = turn === "both";
  return kinds[turn].map((kind) => ({ kind, text: isOpen ? `${text} (not compared)` : text }));
}
