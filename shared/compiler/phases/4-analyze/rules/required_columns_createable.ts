/** Reports a required column without default that no create can set (definitions 4.3). */
import { nearest } from "../../../../lib/nearest.ts";
import type { ColumnDraft, TableDraft } from "../tables/draft.ts";
import type { Rule, Subject } from "./rule.ts";

export const requiredColumnsCreateable: Rule = ({ analysis, subjects }) => {
  for (const subject of subjects) {
    const { table } = subject.firewall;
    // Hooks and handlers may set the column.
    const isHooked = analysis.recordHooks.some((own) =>
      own.table === table.name && own.hooks.includes("beforeCreate")
    );
    const unset = isHooked || !analysis.knowsHooks ? [] : unsettable(subject);
    const [first] = unset;
    if (!first) continue;
    if (table.options?.entries.has("guards")) {
      for (const { name, place } of unset) {
        analysis.report.add("REQUIRED_NOT_CREATEABLE", place, { column: name });
      }
      continue;
    }
    // A table without any guards gets one report, not one for each column.
    const columns = unset.map((column) => column.name).join(", ");
    analysis.report.add("GUARDS_MISSING", table.namePlace, { table: table.name, columns });
  }
};

/** Returns the required columns that no create can set. A create that an action runs may set any column. */
function unsettable({ firewall, resource }: Subject): readonly ColumnDraft[] {
  const { table } = firewall;
  if (!resource?.create || resource.create.action !== null || !resource.guards) return [];
  const guards = table.options?.entries.get("guards")?.value;
  if (guards !== undefined && guards.kind !== "object") return [];
  const { createable } = resource.guards;
  return [...table.columns.values()].filter((column) =>
    column.manager === "client" && column.type !== null && column.required &&
    column.default === null && !createable.includes(column.name) &&
    !isMisspelt(column.name, table)
  );
}

/** True when the column may be meant by a listed name that was reported as unknown. */
function isMisspelt(name: string, { options, columns }: TableDraft): boolean {
  const guards = options?.entries.get("guards")?.value;
  if (guards?.kind !== "object") return false;
  const lists = guards.entries.filter(({ key }) => key === "createable" || key === "immutable");
  const words = lists.flatMap(({ value }) => value.kind === "array" ? value.items : []);
  return words.some((word) =>
    word.kind === "string" && !columns.has(word.value) &&
    nearest(word.value, columns.keys()) === name
  );
}
