/** Ids that a client may choose (contract 4.1 rules 3 and 5). */
import { idPattern } from "../contract/ids.ts";
import type { TableModel } from "../model/table.ts";

type ClientIdRule = "required" | "optional" | "refused";

/** Rule for `id` in a create body. With `generateId: false` nobody else could make one; integers are always counted. */
export function clientIdRule(table: TableModel): ClientIdRule {
  if (table.idStrategy === false) return "required";
  if (table.idStrategy === "serial") return "refused";
  return table.allowClientIds ? "optional" : "refused";
}

/** Anchored source of the pattern that a client's id matches; null where ids are integers. */
export function clientIdPattern(table: TableModel): string | null {
  return table.idStrategy === "serial" ? null : idPattern(table.idStrategy, table.idPrefix);
}
