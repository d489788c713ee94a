/** Selection of answered fields: `fields`, `include` and `fields[<fk>]` (contract 4.3 rules 4 and 5). */
import { sightOf } from "./column_sight.ts";
import type { Embed, QueryRefusal } from "./query.ts";
import type { QueryDraft, ReadingContext } from "./query_draft.ts";
import type { QueryPlan } from "./query_plan.ts";
import { clipped, maskRefusal, parameterRefusal, suggestion } from "./query_refusals.ts";

export function readFields(
  text: string,
  use: { readonly columns: readonly string[]; readonly strict: boolean },
  draft: QueryDraft,
): QueryRefusal | null {
  const names = new Set(text.split(","));
  const known = use.columns.filter((column) => names.has(column));
  if (use.strict && known.length < names.size) {
    const unknown = [...names].find((name) => !known.includes(name)) ?? "";
    return parameterRefusal(
      "fields",
      `Unknown field "${clipped(unknown)}"${suggestion(unknown, use.columns)}`,
    );
  }
  if (known.length > 0) draft.columns = known;
  return null;
}

/** Reads `include`. A key that is masked for the caller is refused: its target would reveal it. */
export function readInclude(
  text: string,
  allowed: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const names = text.split(",");
  for (const [at, name] of names.entries()) {
    if (!allowed.includes(name)) {
      return parameterRefusal(
        "include",
        `Cannot include "${clipped(name)}"${suggestion(name, allowed)}`,
      );
    }
    if (names.indexOf(name) !== at) {
      return parameterRefusal("include", `Parameter "include" names "${name}" more than once`);
    }
    if (sightOf(plan.resource, name, request.principal).kind === "masked") {
      return maskRefusal("include", name);
    }
  }
  draft.include = allowed.filter((column) => names.includes(column));
  return null;
}

/** Only bare `fields` ignore unknown names in v1 (contract 4.3 rule 5). */
export function readEmbeddedFields(
  text: string,
  use: { readonly column: string; readonly fields: readonly string[] },
  draft: QueryDraft,
): QueryRefusal | null {
  const names = text.split(",");
  const unknown = names.find((name) => !use.fields.includes(name));
  if (unknown !== undefined) {
    return parameterRefusal(
      `fields[${use.column}]`,
      `Unknown field "${clipped(unknown)}"${suggestion(unknown, use.fields)}`,
    );
  }
  draft.embeddedFields.set(use.column, use.fields.filter((field) => names.includes(field)));
  return null;
}

/** Refuses combinations of the three that contradict each other, in whatever order they came; null: none. */
export function embedRefusal(
  { columns, include, embeddedFields }: QueryDraft,
): QueryRefusal | null {
  const dropped = include?.find((column) => !columns.includes(column));
  if (dropped !== undefined) {
    return parameterRefusal(
      "include",
      `Including "${dropped}" needs it among the "fields" that answer`,
    );
  }
  const idle = [...embeddedFields.keys()].find((column) => !include?.includes(column));
  if (idle === undefined) return null;
  return parameterRefusal(
    `fields[${idle}]`,
    `Parameter "fields[${idle}]" needs "include" to name "${idle}"`,
  );
}

/** Null: `include` was not sent. */
export function embedsOf(
  { include, embeddedFields }: QueryDraft,
  { embeddables }: QueryPlan,
): readonly Embed[] | null {
  if (include === null) return null;
  return embeddables.filter(({ column }) => include.includes(column.name))
    .map(({ column, table }) => ({
      column: column.name,
      fields: embeddedFields.get(column.name) ?? table.columns.map(({ name }) => name),
    }));
}
