/** Reads `guards` and the columns' own `.protected()` and `.immutable()` (definitions 4.3). */
import { GUARDS } from "../../../../definition_language/rules.ts";
import type { GuardsModel } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { type Analysis, requireColumn } from "../tables/analysis.ts";
import { asRule, type At, read, readFields, type Token } from "../read/mod.ts";
import { nearest } from "../../../../lib/nearest.ts";
import type { TableDraft } from "../tables/draft.ts";

interface GuardsSource {
  readonly createable: readonly Token[];
  readonly updatable: readonly Token[];
  readonly immutable: readonly Token[];
  readonly protected: readonly { readonly key: Token; readonly value: readonly Token[] }[];
}

const NOTHING: GuardsSource = { createable: [], updatable: [], immutable: [], protected: [] };

/** Returns the guards; null for `guards: false`. Without guards no field may be written. */
export function readGuards(table: TableDraft, analysis: Analysis): GuardsModel | null {
  const entry = table.options?.entries.get("guards");
  const at = asRule({ path: `${table.name}.guards`, report: analysis.report }, "guards");
  const columns = [...table.columns.values()];
  if (entry?.value.kind === "boolean" && !entry.value.value) {
    for (
      const column of columns.filter((column) => column.protectedBy !== null || column.immutable)
    ) {
      at.report.add("GUARDS_OFF", column.place, { column: column.name });
    }
    return null;
  }
  const source = (entry && readSource(entry.value, at)) ?? NOTHING;
  const listed = new Set(source.immutable.map((token) => token.text));
  const immutable = columns.filter((column) => column.immutable && !listed.has(column.name));
  const actions = columns.flatMap(({ name, place, protectedBy }) =>
    protectedBy ? [{ key: { text: name, place }, value: protectedBy }] : []
  );
  const whole = {
    ...source,
    immutable: [
      ...source.immutable,
      ...immutable.map(({ name, place }) => ({ text: name, place })),
    ],
    protected: [...source.protected, ...actions],
  };
  checkColumns(source, table, at);
  const known = analysis.actions.filter((action) =>
    action.table === table.name ||
    (action.feature === table.feature && (action.table === null || action.standalone))
  ).map((action) => action.name);
  for (const { text, place } of whole.protected.flatMap(({ value }) => value)) {
    if (known.includes(text) || !analysis.knowsActions) continue;
    const meant = nearest(text, known);
    analysis.report.add("ACTION_UNKNOWN", place, {
      action: text,
      table: table.name,
      nearest: meant,
    });
  }
  checkConflicts(whole, at);
  return guardsModel(whole, table);
}

function readSource(value: Value, at: At): GuardsSource | undefined {
  const fields = readFields(value, GUARDS, at);
  return fields && {
    createable: read(fields, "createable") ?? [],
    updatable: read(fields, "updatable") ?? [],
    immutable: read(fields, "immutable") ?? [],
    protected: read(fields, "protected") ?? [],
  };
}

/** Checks that every listed name is a column that a client could write. */
function checkColumns(source: GuardsSource, table: TableDraft, at: At): void {
  const { createable, updatable, immutable } = source;
  const listed = [...createable, ...updatable, ...immutable];
  for (const word of [...listed, ...source.protected.map(({ key }) => key)]) {
    const column = requireColumn(word, table, at.report);
    if (column && column.manager !== "client") {
      at.report.add("GUARD_MANAGED", word.place, { column: word.text, manager: column.manager });
    }
  }
}

function checkConflicts(source: GuardsSource, at: At): void {
  const protectedNames = new Set(source.protected.map(({ key }) => key.text));
  const immutable = new Set(source.immutable.map((token) => token.text));
  for (const word of [...source.createable, ...source.updatable]) {
    if (!protectedNames.has(word.text)) continue;
    const listed = source.createable.includes(word) ? "createable" : "updatable";
    at.report.add("GUARD_CONFLICT", word.place, { field: word.text, listed, other: "protected" });
  }
  for (const word of source.updatable) {
    if (!immutable.has(word.text)) continue;
    const details = { field: word.text, listed: "updatable", other: "immutable" };
    at.report.add("GUARD_CONFLICT", word.place, details);
  }
}

/** Returns the guards as the model represents them. An immutable field is set on create and needs no entry in `createable`. */
function guardsModel(source: GuardsSource, table: TableDraft): GuardsModel {
  const names = (tokens: readonly Token[]) => tokens.map((token) => token.text);
  const immutable = names(source.immutable);
  const actions = new Map<string, readonly string[]>();
  for (const { key, value } of source.protected) {
    actions.set(key.text, [...new Set([...(actions.get(key.text) ?? []), ...names(value)])]);
  }
  const settable = immutable.filter((name) => !actions.has(name) && table.columns.has(name));
  return {
    createable: [...new Set([...names(source.createable), ...settable])],
    updatable: names(source.updatable),
    immutable,
    protected: Object.fromEntries(actions),
  };
}
