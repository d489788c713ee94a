/** Ledger of an import: every clause of the source is carried, changed or left out, and none is forgotten. */

/** Kinds of clauses, each with its plural. */
export const CLAUSE_KINDS = {
  table: "tables",
  column: "columns",
  key: "primary keys",
  relation: "relations",
  unique: "unique sets",
  index: "indexes",
  check: "checks",
  length: "lengths",
  default: "defaults",
  generated: "generated columns",
  value: "enum values",
  sequence: "sequences",
  comment: "comments",
  view: "views",
  policy: "policies",
  alter: "alterations",
  statement: "other statements",
} as const;

export type ClauseKind = keyof typeof CLAUSE_KINDS;

/** One clause of the source. It is an object of its own, so that two clauses with the same text stay two. */
export interface Clause {
  readonly kind: ClauseKind;
  /** Place such as `orders.customer_id`, or the line of a statement. */
  readonly place: string;
}

export const OUTCOMES = ["carried", "changed", "left out"] as const;

export interface Entry extends Clause {
  readonly outcome: typeof OUTCOMES[number];
  /** Reason; empty if the clause is carried unchanged. */
  readonly reason: string;
}

/** Records the outcome of each clause. The worst outcome of a clause counts, with its first reason. */
export class Ledger {
  readonly #entries = new Map<Clause, Entry>();

  /** Adds a clause that was read. It counts as left out until an outcome is recorded. */
  open(kind: ClauseKind, place: string): Clause {
    const clause = { kind, place };
    this.#entries.set(clause, { ...clause, outcome: "left out", reason: UNSETTLED });
    return clause;
  }

  carry(clause: Clause): void {
    this.#settle(clause, "carried", "");
  }

  change(clause: Clause, reason: string): void {
    this.#settle(clause, "changed", reason);
  }

  leaveOut(clause: Clause, reason: string): void {
    this.#settle(clause, "left out", reason);
  }

  /** Returns the outcome; null: none is recorded. */
  outcomeOf(clause: Clause): Entry["outcome"] | null {
    const entry = this.#entries.get(clause);
    return !entry || entry.reason === UNSETTLED ? null : entry.outcome;
  }

  entries(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  #settle(clause: Clause, outcome: Entry["outcome"], reason: string): void {
    const before = this.#entries.get(clause);
    if (!before) throw new Error(`Nobody opened the clause of ${clause.place}`);
    const isWorse = OUTCOMES.indexOf(outcome) > OUTCOMES.indexOf(before.outcome);
    if (before.reason !== UNSETTLED && !isWorse) return;
    this.#entries.set(clause, { ...clause, outcome, reason });
  }
}

/** Reason of a clause that a reader opened and no code settled, which is a bug of quickback. */
export const UNSETTLED = "nothing here looks at it";
