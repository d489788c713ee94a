/** The ledger of an import: every clause of the source is carried, changed or left out, and none is forgotten. */

/** Each kind with what several of them are called. */
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

/** One clause of the source: an object of its own, so that two of the same words are two. */
export interface Clause {
  readonly kind: ClauseKind;
  /** `orders.customer_id`, or the line of a statement. */
  readonly place: string;
}

export const OUTCOMES = ["carried", "changed", "left out"] as const;

export interface Entry extends Clause {
  readonly outcome: typeof OUTCOMES[number];
  /** Empty where it is carried as it is. */
  readonly reason: string;
}

/** Collects what became of each clause. The worst that is said of one stays, with its first reason. */
export class Ledger {
  readonly #entries = new Map<Clause, Entry>();

  /** A clause that was read. Until something is said of it, it is left out. */
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

  /** Null: nothing was said of it. */
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

/** Reason of an entry by a mistake of ours: a reader opened a clause, and nothing looked at it. */
export const UNSETTLED = "nothing here looks at it";
