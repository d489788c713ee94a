/** `sort` and `order` (contract 4.3, definitions 7 "Sort"). */
import { SORT_FIELDS_MAX } from "../contract/limits.ts";
import type { Principal } from "../model/principal.ts";
import type { SortKey } from "../model/view.ts";
import { mayQueryBy } from "./masked_columns.ts";
import type { QueryRefusal } from "./query.ts";
import type { QueryDraft, ReadingContext } from "./query_draft.ts";
import type { QueryPlan } from "./query_plan.ts";
import { clipped, maskRefusal, parameterRefusal, suggestion } from "./query_refusals.ts";

export function readSort(
  text: string,
  sortable: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const keys: SortKey[] = [];
  for (const item of text.split(",")) {
    const descending = item.startsWith("-");
    const column = descending ? item.slice(1) : item;
    if (!sortable.includes(column)) {
      return parameterRefusal(
        "sort",
        `Cannot sort by "${clipped(column)}"${suggestion(column, sortable)}`,
      );
    }
    if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal("sort", column);
    if (keys.some((key) => key.column === column)) {
      return parameterRefusal("sort", `Parameter "sort" names "${column}" more than once`);
    }
    keys.push({ column, descending });
    if (keys.length > SORT_FIELDS_MAX) {
      return parameterRefusal("sort", `Parameter "sort" names more than ${SORT_FIELDS_MAX} fields`);
    }
  }
  draft.sort = { keys, isMulti: text.includes(",") || text.startsWith("-") };
  return null;
}

/**
 * `order` turns a single plain `sort` field or, alone, the default sort (definitions 7). A default sort by a column that
 * is masked for the caller is no refusal, but it must not tell the order of hidden values either: such keys are left out.
 */
export function effectiveSort(
  plan: QueryPlan,
  draft: QueryDraft,
  principal: Principal,
): readonly SortKey[] {
  const { sort, order } = draft;
  if (sort) {
    return order === null || sort.isMulti ? sort.keys : turnedTo(order, sort.keys);
  }
  const keys = plan.defaultSort.filter((key) => mayQueryBy(key.column, plan.resource, principal));
  return order === null ? keys : turnedTo(order, keys);
}

/** The first key gets the direction; the others turn with it, so that the whole order is itself or its reverse. */
function turnedTo(order: "asc" | "desc", keys: readonly SortKey[]): readonly SortKey[] {
  const [first] = keys;
  if (!first || first.descending === (order === "desc")) return keys;
  return keys.map(({ column, descending }) => ({ column, descending: !descending }));
}
