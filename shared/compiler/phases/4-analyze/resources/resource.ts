/** Reads one resource: the configuration of a table with routes, key by key (definitions 4). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { ACCOUNTS_TABLE, type LabelModel, type ResourceModel } from "../../../../model/mod.ts";
import { kebabCase } from "../../../../surface/mod.ts";
import { read, readField } from "../read/mod.ts";
import { NO_OVERRIDES, readRateLimits, resolveRateLimits } from "../read/rate_limits.ts";
import { type Analysis, requireColumn } from "../tables/analysis.ts";
import type { TableDraft } from "../tables/draft.ts";
import { readAudit } from "./audit.ts";
import { readGuards } from "./guards.ts";
import { readMasking } from "./masking.ts";
import { readResourceRealtime } from "./realtime.ts";
import { accountColumns, type ResourceScope } from "./resource_scope.ts";
import { NEWEST_FIRST, readSort } from "./sort.ts";
import { readSearch, requireIndexed } from "./search.ts";
import { readTransitions } from "./transitions.ts";
import { readReadModel } from "./views.ts";
import { readWrites } from "./writes.ts";

export function readResource(
  scope: ResourceScope,
  displayColumns: ReadonlyMap<string, string | null>,
): ResourceModel {
  const { analysis, table, options } = scope;
  const defaultSort = readField(options, "defaultSort", readSort(table)) ?? NEWEST_FIRST;
  const rateLimits = readField(options, "rateLimit", readRateLimits) ?? NO_OVERRIDES;
  const masks = readMasking(scope);
  const reads = readReadModel(scope, defaultSort, masks);
  const search = readSearch(scope, masks, reads);
  requireIndexed(scope, search, reads);
  const description = read(options, "description") ?? table.doc;
  const audit = readAudit(scope, reads);
  return {
    name: table.name,
    segment: kebabCase(table.name),
    feature: table.feature,
    table: table.name,
    origin: table.origin,
    ...(description === undefined ? {} : { description }),
    firewallErrorMode: read(options, "firewallErrorMode"),
    guards: readGuards(table, analysis),
    masks,
    read: reads,
    ...readWrites(scope),
    // Adds the labels of a resource; `displayColumns` is by table. A table without routes has no label.
    labels: readLabels(scope, displayColumns),
    defaultSort,
    ...(search === undefined ? {} : { search }),
    rateLimits: resolveRateLimits(analysis.config.rateLimits, rateLimits),
    transitions: readTransitions(scope),
    ...(audit === null ? {} : { audit }),
    realtime: readResourceRealtime(scope, { read: reads, masks }),
    inputHints: read(options, "inputHints") ?? null,
    layouts: read(options, "layouts") ?? null,
    ...(table.builtIn === undefined ? {} : { builtIn: table.builtIn }),
  };
}

/** Names of columns that become the display column, in this order, if the author chooses none (definitions 4). */
const DISPLAY_NAMES = ["name", "title", "label", "code"];

/** Maps each table to its human-readable column. A column that the author named is checked. */
export function readDisplayColumns(analysis: Analysis): ReadonlyMap<string, string | null> {
  return new Map(analysis.tables.map((table) => [table.name, readDisplayColumn(table, analysis)]));
}

function readDisplayColumn(table: TableDraft, analysis: Analysis): string | null {
  const word = table.options && read(table.options, "displayColumn");
  if (word) {
    const column = requireColumn(word, table, analysis.report);
    if (column?.type && rulesOf(column.type).isStructured) {
      analysis.report.add("COLUMN_NOT_COMPARABLE", word.place, { column: column.name });
    }
    return column?.name ?? null;
  }
  return table.options?.entries.has("displayColumn") ? null : DISPLAY_NAMES.find((name) => {
    const type = table.columns.get(name)?.type;
    return type !== undefined && type !== null && rulesOf(type).isText;
  }) ?? null;
}

/**
 * Returns the labels of a resource; `displayColumns` is by table. A table without routes has no label, and an account is
 * labelled with its name.
 */
function readLabels(
  scope: ResourceScope,
  displayColumns: ReadonlyMap<string, string | null>,
): readonly LabelModel[] {
  const { analysis, table, relations } = scope;
  const keys = [...relations].flatMap(([column, { table }]) => {
    const display = displayColumns.get(table) ?? null;
    const target = analysis.tables.find((candidate) => candidate.name === table);
    return display === null || !target?.options ? [] : [{ column, table, display }];
  });
  const { name: accounts } = ACCOUNTS_TABLE;
  const named = accountColumns(scope)
    .map((column) => ({ column, table: accounts, display: "name" }));
  return [...keys, ...named].filter(({ column }) => /.Id$/.test(column)).map((label) => {
    const field = `${label.column.slice(0, -2)}_label`;
    const taken = table.columns.get(field);
    if (taken) {
      analysis.report.add("LABEL_TAKEN", taken.place, { label: field, column: label.column });
    }
    return { field, ...label };
  });
}
