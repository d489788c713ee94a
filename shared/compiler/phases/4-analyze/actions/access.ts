/** The access rule of an action (contract 2.11, 4.4 rules 1 and 2). */
import type { Access } from "../../../../model/access.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Value } from "../../values.ts";
import { readField } from "../read/fields.ts";
import { NOBODY, readAccess } from "../resources/access.ts";
import type { TableDraft } from "../tables/draft.ts";
import type { ActionScope } from "./action_scope.ts";

export function readActionAccess(scope: ActionScope): Access {
  const { fields, found, analysis } = scope;
  const entry = fields.entries.get("access");
  if (!entry) {
    analysis.report.add("KEY_MISSING", fields.place, { key: "access", owner: fields.at.path });
    return NOBODY;
  }
  const conditions = scope.kind === "record" ? null : recordCondition(entry.value);
  if (conditions) {
    analysis.report.add("ACTION_RECORD_CONDITION", conditions, { action: found.name });
  }
  const table = scope.kind === "record" && scope.table ? scope.table : WITHOUT_COLUMNS;
  const reader = readAccess({ table, hierarchy: analysis.config.hierarchy });
  return readField(fields, "access", reader) ?? NOBODY;
}

/** A table of which nothing is known, so that nothing is said about its columns. */
const NOWHERE: Place = { file: "", line: 1, column: 1, length: 1 };
const WITHOUT_COLUMNS: TableDraft = {
  file: "",
  feature: "",
  name: "",
  namePlace: NOWHERE,
  sqlName: "",
  origin: NOWHERE,
  options: null,
  exception: null,
  isComplete: false,
  columns: new Map(),
  softDelete: false,
};

/** Place of the rule's first condition on a record. */
function recordCondition(value: Value): Place | null {
  if (value.kind === "array") return firstOf(value.items);
  if (value.kind !== "object") return null;
  const own = value.entries.find(({ key }) => key === "record");
  if (own) return own.keyPlace;
  return firstOf(
    value.entries.filter(({ key }) => key === "or" || key === "and").map((entry) => entry.value),
  );
}

function firstOf(values: readonly Value[]): Place | null {
  return values.map(recordCondition).find((place) => place !== null) ?? null;
}
