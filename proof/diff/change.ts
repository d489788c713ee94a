/** One difference between two versions of a project, as `quickback diff` reports it. */

/**
 * `gain`: somebody may see or do more. `loss`: somebody may see or do less. `breaking`: a client that kept to the old
 * description can fail. `addition`: clients need not know.
 */
export type ChangeKind = "gain" | "loss" | "breaking" | "addition";

export interface Change {
  readonly kind: ChangeKind;
  /** The changed thing: `GET /api/v1/tickets`, `tickets.subject`. */
  readonly subject: string;
  /** Affected classes of callers; empty: every client. */
  readonly principals: readonly string[];
  readonly text: string;
}

/** Changes that differ in their principal alone, as one. */
export function grouped(changes: readonly Change[]): readonly Change[] {
  const groups = new Map<string, Change>();
  for (const change of changes) {
    const key = JSON.stringify([change.kind, change.subject, change.text]);
    const known = groups.get(key);
    const principals = [...known?.principals ?? [], ...change.principals];
    groups.set(key, { ...change, principals: [...new Set(principals)] });
  }
  return [...groups.values()];
}
