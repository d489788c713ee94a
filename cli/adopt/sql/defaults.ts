/** Reads defaults of SQL: a value, or a function that the service replaces. */
import type { ForeignDefault } from "../foreign_schema.ts";
import { sqlText } from "./cursor.ts";
import { literalOf, parsedExpression } from "./expressions.ts";
import type { Token } from "./tokens.ts";

/** Reads a default. `sequences`: first numbers by name in lower case. */
export function readDefault(
  tokens: readonly Token[],
  sequences: ReadonlyMap<string, number>,
): ForeignDefault {
  const text = sqlText(tokens).trim();
  const [only, ...others] = tokens;
  if (only?.kind === "text" && others.length === 0) return { kind: "value", value: only.value };
  const plain = text.toLowerCase().replace(/\s+/g, "").replace(/^\((.*)\)$/, "$1");
  if (NOW.test(plain)) return { kind: "now" };
  if (/^\(?auth\.uid\(\)/.test(plain)) return { kind: "userId" };
  if (RANDOM.test(plain)) return { kind: "random" };
  const [, called] = /^nextval\('"?(?:\w+"?\.)?"?([^'"]+)/i.exec(plain) ?? [];
  if (called !== undefined) return { kind: "sequence", start: sequences.get(called) ?? 1 };
  if (/^array\[\]/.test(plain)) return { kind: "value", value: [] };
  const parsed = parsedExpression(tokens);
  const value = parsed === null ? undefined : literalOf(parsed);
  // MySQL also writes texts in double quotes.
  const quoted = only?.kind === "name" && others.length === 0 ? only.value : undefined;
  const found = value ?? quoted;
  return found === undefined || found === null
    ? { kind: "unknown", text: text.slice(0, 80) }
    : { kind: "value", value: found };
}

const NOW =
  /^(now\(\)|current_timestamp(\(\d*\))?|current_date(\(\))?|localtimestamp(\(\d*\))?|sysdate(time)?(\(\))?|getdate\(\)|getutcdate\(\)|(statement|clock|transaction)_timestamp\(\)|utc_timestamp\(\)|curdate\(\)|timezone\('utc'.*now\(\)\)|\(?now\(\)\)?(attimezone'utc')?|(date|datetime|strftime)\(.*'now'.*\))(::[a-z]+)*$/;

const RANDOM =
  /^(gen_random_uuid\(\)|(\w+\.)?uuid_generate_v[14]\(\)|uuid\(\)|uuidv[47]\(\)|newid\(\)|newsequentialid\(\)|(\w+\.)?gen_random_uuid\(\)|encode\((\w+\.)?gen_random_bytes\(.*|(\w+\.)?nanoid\(.*|lower\(hex\(randomblob\(.*|hex\(randomblob\(.*|md5\(\(?random\(\).*)(::[a-z]+)*$/;
