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
