/** Names and strings as SQL text. */
import { hex } from "./hexadecimal.ts";

/** Quotes a name in backticks. SQLite reads an unknown name in double quotes as a string. */
export function sqlIdentifier(name: string): string {
  if (name === "" || name.includes("\0")) {
    throw new Error(`Name ${JSON.stringify(name)} cannot be an SQL identifier`);
  }
  return "`" + name.replaceAll("`", "``") + "`";
}

// Migration files separate statements with this text, even inside of strings.
const BREAKPOINT = "--> statement-breakpoint";

/** Quotes a string. A text that a file or parser could not carry unchanged is written in hexadecimal. */
export function sqlString(value: string): string {
  return !INVISIBLE.test(value) && !value.includes(BREAKPOINT)
    ? `'${value.replaceAll("'", "''")}'`
    : `(CAST(x'${hex(new TextEncoder().encode(value))}' AS text))`;
}

/** Matches invisible characters: controls, direction marks, lone surrogates, line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const CONSTRAINTS = [
  ["UNIQUE constraint failed", "unique"],
  ["PRIMARY KEY constraint failed", "primaryKey"],
  ["NOT NULL constraint failed", "notNull"],
  ["FOREIGN KEY constraint failed", "foreignKey"],
  ["CHECK constraint failed", "check"],
] as const;

/** Returns the kind of constraint that SQLite's message reports as broken; null: it reports none. */
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
