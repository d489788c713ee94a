/** The audit rows of a changeset's actions (contract 4.4 rule 3): they stay, even when the changeset is undone. */
import { Refusal } from "../../refusal.ts";
import { type AuditTrail, type Ended, refusedEnd } from "../actions/action_audit.ts";

export class ChangesetTrails {
  readonly #begun: { readonly at: number; readonly trail: AuditTrail }[] = [];

  /** To be called before the operation runs. */
  begun(at: number, trail: AuditTrail | null): AuditTrail | null {
    if (trail) this.#begun.push({ at, trail });
    return trail;
  }

  /** After the rollback: the one that was refused says why, the others were undone by it. */
  async undone(error: unknown): Promise<void> {
    const refused = refusedEnd(error);
    const failedAt = error instanceof Refusal ? error.options.details?.["failedAt"] : undefined;
    for (const { at, trail } of this.#begun) {
      const ended: Ended = at === failedAt ? refused : { result: "error", code: refused.code };
      await trail.end(ended);
    }
  }
}
