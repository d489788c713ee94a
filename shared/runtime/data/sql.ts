/** SQL texts with their bound values, and how to combine them. */
import type { Reader, SqlValue, Statement } from "../ports.ts";

export type Fragment = Statement;

export const EVERY_ROW: Fragment = { sql: "1", args: [] };
export const NO_ROW: Fragment = { sql: "0", args: [] };

export function fragment(sql: string, ...args: readonly SqlValue[]): Fragment {
  return { sql, args };
}

/** Joins parts by AND; without parts: every row. */
export function allOf(parts: readonly Fragment[]): Fragment {
  return joined(parts, " AND ", EVERY_ROW);
}

/** Joins parts by OR; without parts: no row. */
export function anyOf(parts: readonly Fragment[]): Fragment {
  return joined(parts, " OR ", NO_ROW);
}

function joined(parts: readonly Fragment[], operator: string, none: Fragment): Fragment {
  const [only] = parts;
  if (!only) return none;
  if (parts.length === 1) return only;
  return {
    sql: `(${parts.map((part) => part.sql).join(operator)})`,
    args: parts.flatMap((part) => part.args),
  };
}

/** Binds values as one JSON array, so that lists of any length share a statement. */
export function jsonList(values: readonly SqlValue[]): string {
  if (values.some((value) => value instanceof Uint8Array)) {
    throw new TypeError("A list of values cannot hold bytes");
  }
  return values.some((value) => typeof value === "bigint")
    ? `[${values.map((one) => typeof one === "bigint" ? one : JSON.stringify(one)).join(",")}]`
    : JSON.stringify(values);
}

/** Parses the output of SQLite's `quote`. */
export function quotedValue(text: string): SqlValue {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  if (text === "NULL") return null;
  const number = Number(text);
  if (Number.isNaN(number)) throw new TypeError("A column of numbers holds bytes");
  return !Number.isSafeInteger(number) && /^-?\d+$/.test(text) ? BigInt(text) : number;
}

/** The cheapest query, to learn if a database answers (definitions 7, "GET /health"). */
export async function ping(reader: Reader): Promise<void> {
  await reader.run({ sql: "SELECT 1", args: [] });
}
