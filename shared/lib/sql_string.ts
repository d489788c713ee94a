/** A string as SQL text. */

// Migration files part their statements with this text, wherever it stands.
const BREAKPOINT = "--> statement-breakpoint";

/** A quoted string; in hexadecimal what a file or a parser could not carry as it is. */
export function sqlString(value: string): string {
  return isPlain(value) ? `'${value.replaceAll("'", "''")}'` : `(CAST(x'${hex(value)}' AS text))`;
}

/** Nothing invisible in it: controls, direction marks, lone surrogates, line separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

function isPlain(value: string): boolean {
  return !INVISIBLE.test(value) && !value.includes(BREAKPOINT);
}

function hex(value: string): string {
  return [...new TextEncoder().encode(value)].map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
