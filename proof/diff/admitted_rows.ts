/** Compares the rows to which two versions of a rule admit one caller, as far as their forms allow. */
import type { Home } from "../../shared/oracle/principal_class.ts";
import { implies, type Term } from "../../shared/oracle/terms.ts";

/** Placeholder ids of the caller, different from every literal in a rule. */
export const OWN: Home = {
  userId: "\u0000 the caller's id",
  organizationId: "\u0000 the caller's organization",
  teamId: "\u0000 the caller's team",
};

/** `gain`: all rows as before, and perhaps more. `both`: it is not known that either version admits all rows of the other. */
export type Turn = "same" | "gain" | "loss" | "both";

export function turnBetween(before: Term, after: Term): Turn {
  const [isKept, isOld] = [implies(before, after), implies(after, before)];
  if (isKept) return isOld ? "same" : "gain";
  return isOld ? "loss" : "both";
}

/** Returns the change. A change that cannot be classified is reported as a gain and as a loss, so that somebody reviews it. */
export function turnChanges(
  turn: Turn,
  text: string,
): readonly { readonly kind: "gain" | "loss"; readonly text: string }[] {
  const kinds = { same: [], gain: ["gain"], loss: ["loss"], both: ["gain", "loss"] } as const;
  const isOpen = turn === "both";
  return kinds[turn].map((kind) => ({ kind, text: isOpen ? `${text} (not compared)` : text }));
}
