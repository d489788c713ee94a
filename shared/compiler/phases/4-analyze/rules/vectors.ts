/** Checks vectors. A table has one, no view shows it, and only libSQL can store it (definitions 3). */
import { rulesOf, vectorOf } from "../../../../column_types/mod.ts";
import type { MaskRule } from "../../../../model/mod.ts";
import type { Analysis } from "../tables/analysis.ts";
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
    sourcesOf(vector, subject, analysis);
    for (const owner of ownersOf(vector, subject)) {
      report.add("VECTOR_MISPLACED", place, { column, owner });
    }
  }
}

/** Returns the texts of a vector that exist and that every reader of the vector may read. */
function sourcesOf(
  { name: column, type, place }: ColumnDraft,
  { firewall: { table }, relations, resource }: Subject,
  { report, config }: Analysis,
): void {
  const from = vectorOf(type)?.from ?? null;
  if (from === null) return;
  if (config.model.runtime !== "deno") {
    report.add("VECTOR_UNMADE", place, { column, needs: "the Deno runtime" });
  }
  const masks = resource?.masks ?? {};
  for (const source of from) {
    const found = table.columns.get(source);
    const fault = !found
      ? "the table has no such column"
      : found.manager === "computed"
      ? "it is computed"
      : !found.type || rulesOf(found.type).isText && !relations.has(source)
      ? null
      : "it is no text";
    if (fault !== null) report.add("VECTOR_SOURCE", place, { column, source, fault });
    else if (!isCovered(masks[source], masks[column])) {
      report.add("VECTOR_SHOWS_MASKED", place, { column, source });
    }
  }
}

/** True when the readers of the vector may read the text, because distances reveal a text as its letters do. */
function isCovered(source: MaskRule | undefined, vector: MaskRule | undefined): boolean {
  if (source === undefined) return true;
  const within = (roles: readonly string[], wider: readonly string[]) =>
    roles.every((role) => wider.includes(role));
  return vector !== undefined && within(vector.showRoles, source.showRoles) &&
    within(vector.queryRoles, source.queryRoles) && (source.showOwner || !vector.showOwner) &&
    (vector.showRows === undefined ||
      JSON.stringify(vector.showRows) === JSON.stringify(source.showRows));
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
