/** Filters, `search` and the named organization (contract 4.3). */
import { QUERY_VALUES_MAX } from "../contract/limits.ts";
import { mayQueryBy } from "./masked_columns.ts";
import { isOtherSpelling } from "./id_spelling.ts";
import type { ParameterUse } from "./parameters.ts";
import type { QueryRefusal } from "./query.ts";
import type { QueryDraft, ReadingContext } from "./query_draft.ts";
import { formRefusal, maskRefusal, parameterRefusal } from "./query_refusals.ts";

const NO_NUL = "text without NUL characters";

export function readFilter(
  filter: {
    readonly name: string;
    readonly text: string;
    readonly use: Extract<ParameterUse, { kind: "filter" }>;
  },
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const { name, text, use: { column, operator, isList, values: type, keyOf } } = filter;
  if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal(name, column);
  const values: (string | number)[] = [];
  for (const item of isList ? text.split(",") : [text]) {
    if (item.includes("\0")) return formRefusal(name, NO_NUL);
    const value = type.read(item);
    if (value === undefined) return formRefusal(name, type.expected);
    if (isOtherSpelling(item, keyOf)) return formRefusal(name, "an id as the API spells it");
    values.push(value);
  }
  draft.filters.push({ column, operator, values });
  const count = draft.filters.reduce((sum, { values }) => sum + values.length, 0);
  return count <= QUERY_VALUES_MAX
    ? null
    : parameterRefusal(name, `More than ${QUERY_VALUES_MAX} values are given`);
}

export function readSearch(
  text: string,
  searchable: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  if (text.includes("\0")) return formRefusal("search", NO_NUL);
  if (text === "") return null;
  const columns = searchable.filter((column) =>
    mayQueryBy(column, plan.resource, request.principal)
  );
  draft.search = { columns, text };
  return null;
}

export function readScope(text: string, column: string, draft: QueryDraft): QueryRefusal | null {
  if (text === "" || text.includes("\0")) {
    return formRefusal("organizationId", "an organization's id");
  }
  draft.scope = { organizationId: text };
  draft.filters.push({ column, operator: "eq", values: [text] });
  return null;
}
