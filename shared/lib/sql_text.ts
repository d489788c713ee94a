/** Names and strings as SQL text. */
import { hex } from "./hexadecimal.ts";

/** A name as SQL text. Backticks: SQLite reads an unknown name in double quotes as a string. */
export function sqlIdentifier(name: string): string {
  if (name === "" || name.includes("\0")) {
    throw new Error(`Name ${JSON.stringify(name)} cannot be an SQL identifier`);
  }
  return "`" + name.replaceAll("`", "``") + "`";
}

// Migration files part their statements with this text, wherever it stands.
const BREAKPOINT = "--> statement-breakpoint";

/** A quoted string; in hexadecimal what a file or a parser could not carry as it is. */
export function sqlString(value: string): string {
  return !INVISIBLE.test(value) && !value.includes(BREAKPOINT)
    ? `'${value.replaceAll("'", "''")}'`
    : `(CAST(x'${hex(new TextEncoder().encode(value))}' AS text))`;
}

/** Nothing invisible in it: controls, direction marks, lone surrogates, line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const CONSTRAINTS = [
  ["UNIQUE constraint failed", "unique"],
  ["PRIMARY KEY constraint failed", "primaryKey"],
  ["NOT NULL constraint failed", "notNull"],
  ["FOREIGN KEY constraint failed", "foreignKey"],
  ["CHECK constraint failed", "check"],
] as const;

/** The kind of constraint that SQLite's message says was broken; null: it says no such thing. */
export function brokenConstraint(message: string): typeof CONSTRAINTS[number][1] | null {
  return CONSTRAINTS.find(([text]) => message.includes(text))?.[1] ?? null;
}

/** `UNIQUE constraint failed: t.a, t.b` → `["t.a", "t.b"]`; `… failed: index 'x'` → `["x"]`. */
export function constraintSubjects(message: string): readonly string[] {
  const named = /constraint failed: (.+)$/.exec(message)?.[1];
  if (named === undefined) return [];
  const index = /^index '(.+)'$/.exec(named)?.[1];
  return index === undefined ? named.split(", ") : [index];
}
