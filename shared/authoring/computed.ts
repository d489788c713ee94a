/** Names in the expression of a computed column. The compiler reads the expression and never runs it (definitions 3). */
import type { Registered } from "../definition_language/register.ts";

/**
 * The row of a computed column, by the names of the project's columns. Numbers and decimals have the type number, all others
 * string. A type cannot know the types of columns of a table that is still being declared, so the compiler checks the operands.
 */
export type ComputedRow = { readonly [Column in Registered<"columnNames", string>]: never };

const NEVER_RUN = "The expression of a computed column is read, and never run";

/** Rounds to this many digits behind the point, half to even. A division by zero gives null. */
export function round(_value: number, _scale: number): number {
  throw new Error(NEVER_RUN);
}

type Day = string | null;

function part(_day: Day): number {
  throw new Error(NEVER_RUN);
}

/** Parts of a date or an instant in UTC. `weekday` is 0 on Sunday. */
export const date: {
  readonly year: (day: Day) => number;
  readonly month: (day: Day) => number;
  readonly day: (day: Day) => number;
  readonly weekday: (day: Day) => number;
} = Object.freeze({ year: part, month: part, day: part, weekday: part });
