/** Names in the expression of a computed column, which is read by the compiler and never run (definitions 3). */

/**
 * The row of a computed column. Numbers and decimals are numbers there and everything else is a text, which no type can say of
 * a table that is still being declared: the compiler checks the operands.
 */
export interface ComputedRow {
  readonly [column: string]: never;
}

const NEVER_RUN = "The expression of a computed column is read, and never run";

/** A number with so many digits behind its point, half to even; null where it is divided by zero. */
export function round(_value: number, _scale: number): number {
  throw new Error(NEVER_RUN);
}

type Day = string | null;

function part(_day: Day): number {
  throw new Error(NEVER_RUN);
}

/** Parts of a day or an instant, in UTC; `weekday` is 0 on a Sunday. */
export const date: {
  readonly year: (day: Day) => number;
  readonly month: (day: Day) => number;
  readonly day: (day: Day) => number;
  readonly weekday: (day: Day) => number;
} = Object.freeze({ year: part, month: part, day: part, weekday: part });
