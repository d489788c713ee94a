/** `refs`: which input fields name records of which tables; `invalidates`: which signals a handler may send (definitions 5, 7). */
import type { SchemaModel } from "../../../../model/action.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { requireTable } from "../tables/analysis.ts";
import { readField } from "../read/fields.ts";
import { listOf, mapOf, matching, readToken, readTokens } from "../read/scalars.ts";
import { type ActionScope, inputField, inputNames } from "./action_scope.ts";

export function readRefs(
  { fields, analysis }: ActionScope,
  input: SchemaModel,
): Readonly<Record<string, string>> {
  const members = readField(fields, "refs", mapOf(readToken)) ?? [];
  const refs = members.flatMap(({ key, value }) => {
    const schema = inputField(input, key.text);
    if (schema === undefined) {
      const suggestion = nearest(key.text, inputNames(input));
      analysis.report.add("INPUT_FIELD_UNKNOWN", key.place, {
        field: key.text,
        nearest: suggestion,
      });
    } else if (schema && !["string", "number", "any", "union"].includes(schema.kind)) {
      const details = { field: key.text, expected: "an id" };
      analysis.report.add("INPUT_FIELD_TYPE", key.place, details);
    }
    const table = requireTable(value, analysis);
    return table ? [[key.text, table.name] as const] : [];
  });
  return Object.fromEntries(refs);
}

const SIGNAL = matching(
  /^[A-Za-z][A-Za-z0-9_]*\.[A-Za-z][A-Za-z0-9_]*$/,
  '"<binding>.<variant>" of the realtime registry',
);

export function readInvalidates({ fields, signals }: ActionScope): readonly string[] {
  const known = signals?.map(({ name }) => name) ?? null;
  return readField(fields, "invalidates", (value, at) => {
    const named = listOf(SIGNAL)(value, at);
    for (const { text, place } of named && known ? readTokens(value, at) ?? [] : []) {
      if (known === null || known.includes(text) || !named?.includes(text)) continue;
      at.report.add("SIGNAL_UNKNOWN", place, { signal: text, nearest: nearest(text, known) });
    }
    return named;
  }) ?? [];
}
