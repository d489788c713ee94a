/** A table has one vector, which no view shows and no database but libSQL keeps (definitions 3). */
import { vectorOf } from "../../../../column_types/mod.ts";
import type { ColumnDraft } from "../tables/draft.ts";
import type { RuleInput, Subject } from "./rule.ts";

export function vectors({ analysis, subjects }: RuleInput): void {
  const { report, config: { model: { database } } } = analysis;
  for (const subject of subjects) {
    const columns = [...subject.firewall.table.columns.values()];
    const [vector, second] = columns.filter(({ type }) => vectorOf(type) !== null);
    if (!vector) continue;
    const { name: column, place } = vector;
    if (second) report.add("VECTOR_TWICE", second.place, { column: second.name, other: column });
    if (database.provider !== "libsql") {
      report.add("VECTOR_PLATFORM", place, { column, database: database.provider });
    }
    const named = columns.find(({ name }) => name === "near");
    if (named) report.add("COLUMN_IS_PARAMETER", named.place, { column: named.name });
    for (const owner of ownersOf(vector, subject)) {
      report.add("VECTOR_MISPLACED", place, { column, owner });
    }
  }
}

function ownersOf({ name }: ColumnDraft, { resource }: Subject): readonly string[] {
  const views = (resource?.read?.views ?? []).filter((view) =>
    [view.fields, view.filterable ?? [], view.sortable ?? []].some((list) => list.includes(name))
  );
  return [
    ...views.map((view) => `view ${JSON.stringify(view.name)}`),
    ...(resource?.realtime?.fields.includes(name) ? ['"realtime.fields"'] : []),
  ];
}
