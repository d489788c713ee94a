/** One difference between two versions of a project, as `quickback diff` reports it. */

/**
 * `gain`: a caller may see or do more. `loss`: a caller may see or do less. `breaking`: a client that followed the old
 * description can fail. `addition`: clients need no change.
 */
export type ChangeKind = "gain" | "loss" | "breaking" | "addition";

export interface Change {
  readonly kind: ChangeKind;
  /** Changed thing: `GET /api/v1/tickets`, `tickets.subject`. */
  readonly subject: string;
  /** Affected classes of callers; empty: every client. */
  readonly principals: readonly string[];
  readonly text: string;
}

/** Merges changes that differ only in their callers. */
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
