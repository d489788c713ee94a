/** Reads `read`: callers who may read, includes, and the views (definitions 4, 4.5; contract 2.12, 4.2 and 4.3). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { AGGREGATION, READING, VIEW } from "../../../../definition_language/resource.ts";
import { nearest } from "../../../../lib/nearest.ts";
import { isObjectMember } from "../../../../lib/object_members.ts";
import type { Access, AggregationModel, MaskRule, ReadModel } from "../../../../model/mod.ts";
import type { SortKey, ViewModel } from "../../../../model/mod.ts";
import { kebabCase, rolesNamedBy } from "../../../../surface/mod.ts";
import type { ObjectEntry, Value } from "../../values.ts";
import { type Fields, readField, readFields, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, type Reader, type Token, wrongType } from "../read/reader.ts";
import { mapOf, readToken, readTokens } from "../read/scalars.ts";
import { requireColumn } from "../tables/analysis.ts";
import type { ColumnDraft } from "../tables/draft.ts";
import { groupKeysReader } from "./group_keys.ts";
import * as scopes from "./resource_scope.ts";
import { NEWEST_FIRST, readSort } from "./sort.ts";
import { isCovered, rolesAlone, viewAccess } from "./view_roles.ts";

interface ViewScope {
  readonly scope: scopes.ResourceScope;
  /** The resource's own read rule. */
  readonly parent: Access;
  readonly defaultSort: readonly SortKey[];
  readonly masks: Readonly<Record<string, MaskRule>>;
}
type QueryFields = Fields<(typeof VIEW)["members"]["query"]["members"]>;

const VIEW_NAME = /^[a-z][A-Za-z0-9_-]*$/;

/** Returns the views in declared order. */
function readViews(reading: Fields, context: ViewScope): readonly ViewModel[] {
  const entry = reading.entries.get("views");
  if (!entry) return [];
  const at = below(reading.at, "views");
  if (entry.value.kind !== "object") return wrongType(entry.value, "an object of views", at) ?? [];
  const segments = new Map<string, string>();
  return entry.value.entries.flatMap((member) => {
    if (!hasOwnSegment(member, segments, at)) return [];
    const view = readView(member, context, below(at, member.key));
    return view ? [view] : [];
  });
}

/** Reports a view whose URL segment another view has. */
function hasOwnSegment({ key, keyPlace }: ObjectEntry, segments: Map<string, string>, at: At) {
  const segment = kebabCase(key);
  const other = segments.get(segment);
  segments.set(segment, key);
  const isName = VIEW_NAME.test(key) && !isObjectMember(key);
  if (!isName) at.report.add("VIEW_NAME", keyPlace, { view: key });
  else if (other !== undefined) {
    at.report.add("VIEW_SEGMENT_TAKEN", keyPlace, { name: key, other, segment });
  }
  return isName && other === undefined;
}

function readView(entry: ObjectEntry, context: ViewScope, at: At): ViewModel | undefined {
  const { scope, parent } = context;
  const fields = readFields(entry.value, VIEW, at);
  if (!fields) return undefined;
  if (fields.entries.has("groupBy")) return readGroupedView(entry, fields, context);
  const columns = requireField(fields, "fields", scopes.columnTokens(scope)) ?? [];
  // A misspelt field was reported; the field that it misspells may be one that seems to be missing.
  const value = fields.entries.get("fields")?.value;
  const listed = value?.kind === "array" && value.items.length === columns.length ? columns : [];
  if (value?.kind === "array" && value.items.length === 0) {
    at.report.add("VIEW_EMPTY", entry.keyPlace, { view: entry.key });
  }
  const own = readField(fields, "access", scopes.accessReader(scope));
  const query = read(fields, "query");
  const include = readField(fields, "include", scopes.includesReader(scope));
  requireWithin(include?.keys ?? [], listed, "include", fields);
  // The id of a record must be readable, because children are grouped by it.
  const [id] = include?.children.length ? scope.table.columns.values() : [];
  if (id && !listed.some(({ text }) => text === id.name)) {
    fields.at.report.add("VIEW_FIELD_MISSING", entry.keyPlace, { column: id.name, key: "include" });
  }
  // `search` compares text, so its columns must be texts (contract 4.3).
  const searchable = allowList(query, "searchable", { listed, scope });
  const tokens = readField(query, "searchable", readTokens);
  for (const { text, place } of (searchable && tokens) ?? []) {
    const type = scope.table.columns.get(text)?.type;
    if (!type || rulesOf(type).isText) continue;
    query.at.report.add("SEARCH_TYPE", place, { column: text, type: type.kind });
  }
  // The sort is declared here or under `query`, but not in both.
  const reader = readSort(scope.table);
  const outer = readField(fields, "defaultSort", reader);
  const inner = readField(query, "defaultSort", reader);
  const second = query.entries.get("defaultSort");
  if (second && fields.entries.has("defaultSort")) {
    const details = { key: "defaultSort", other: "query.defaultSort" };
    fields.at.report.add("KEY_TWICE", second.keyPlace, details);
  }
  // Reads `aggregations` of a view (definitions 4.5).
  const members = readField(fields, "aggregations", mapOf(aggregationReader(scope))) ?? [];
  const access = own ?? parent;
  const sortable = sortList(query, { listed, scope, access, masks: context.masks });
  const shown = [...scopes.textsOf(columns), ...sortable ?? []];
  // The order of rows would reveal hidden columns to callers who may read only the view.
  const isHidden = rolesAlone(parent, access).length > 0 &&
    context.defaultSort.some(({ column }) => !shown.includes(column));
  return {
    name: entry.key,
    segment: kebabCase(entry.key),
    fields: scopes.textsOf(columns),
    access: own ? viewAccess(parent, own) : parent,
    ...includedIn(include),
    filterable: allowList(query, "filterable", { listed, scope }),
    sortable,
    searchable,
    defaultSort: inner ?? outer ?? (isHidden ? NEWEST_FIRST : context.defaultSort),
    aggregations: members.map(({ key, value }) => ({ name: key.text, ...value })),
  };
}

/** Reads a view whose rows are groups. Settings that only records have are errors in it. */
function readGroupedView(
  entry: ObjectEntry,
  fields: Fields<(typeof VIEW)["members"]>,
  context: ViewScope,
): ViewModel {
  const { scope, parent } = context;
  const { report } = fields.at;
  const query = read(fields, "query");
  for (const key of ["fields", "include"] as const) reportMember(fields, key);
  for (const key of ["sortable", "searchable"] as const) reportMember(query, key);
  const groupBy = readField(fields, "groupBy", groupKeysReader(scope)) ?? [];
  const columns = groupBy.map(({ column }) => column);
  const own = readField(fields, "access", scopes.accessReader(scope));
  const aggregations = readField(fields, "aggregations", mapOf(aggregationReader(scope))) ?? [];
  for (const { key: { text: name, place } } of aggregations) {
    if (columns.includes(name)) report.add("GROUP_NAME", place, { name });
  }
  const members = [...columns, ...aggregations.map(({ key }) => key.text)];
  const reader = readSort(scope.table, members);
  const outer = readField(fields, "defaultSort", reader);
  const inner = readField(query, "defaultSort", reader);
  const filterable = readField(query, "filterable", scopes.columnTokens(scope));
  return {
    name: entry.key,
    segment: kebabCase(entry.key),
    fields: columns,
    access: own ? viewAccess(parent, own) : parent,
    include: [],
    filterable: filterable ? scopes.textsOf(filterable) : null,
    sortable: members,
    searchable: [],
    defaultSort: inner ?? outer ?? columns.map((column) => ({ column, descending: false })),
    aggregations: aggregations.map(({ key, value }) => ({ name: key.text, ...value })),
    groupBy,
  };
}

function reportMember(fields: Fields, key: string): void {
  const member = fields.entries.get(key);
  if (member) fields.at.report.add("GROUP_MEMBER", member.keyPlace, { key });
}

interface Listed {
  readonly listed: readonly Token[];
  readonly scope: scopes.ResourceScope;
}

function allowList(
  query: QueryFields,
  key: "filterable" | "searchable",
  { listed, scope }: Listed,
): readonly string[] | null {
  const tokens = readField(query, key, scopes.columnTokens(scope));
  if (!tokens) return null;
  requireWithin(tokens, listed, key, query);
  return scopes.textsOf(tokens);
}

/**
 * Reads the columns by which a view may sort. A column that it does not show needs readers who all see it plain, because an
 * order reveals values (definitions 4.4).
 */
function sortList(
  query: QueryFields,
  { listed, scope, access, masks }: Listed & {
    readonly access: Access;
    readonly masks: Readonly<Record<string, MaskRule>>;
  },
): readonly string[] | null {
  const tokens = readField(query, "sortable", scopes.columnTokens(scope));
  if (!tokens) return null;
  const roles = rolesNamedBy(access);
  const hidden = tokens.filter(({ text }) => {
    const mask = Object.hasOwn(masks, text) ? masks[text] : undefined;
    // Every named role must see the column plain; without named roles anyone may read.
    return mask !== undefined &&
      !(roles.length > 0 && roles.every((role) => isCovered(role, mask.showRoles)));
  });
  requireWithin(hidden, listed, "sortable", query);
  return scopes.textsOf(tokens);
}

function requireWithin(
  tokens: readonly Token[],
  listed: readonly Token[],
  key: string,
  { at }: Fields,
): void {
  // If no field is readable, this check would report every column.
  if (listed.length === 0) return;
  const names = scopes.textsOf(listed);
  for (const { text, place } of tokens) {
    if (!names.includes(text)) at.report.add("VIEW_FIELD_MISSING", place, { column: text, key });
  }
}

function aggregationReader(scope: scopes.ResourceScope): Reader<Omit<AggregationModel, "name">> {
  return (value: Value, at: At) => {
    const fields = readFields(value, AGGREGATION, at);
    const fn = fields && read(fields, "fn");
    if (!fields || !fn) return undefined;
    if (fn === "count" && !fields.entries.has("field")) return { fn, column: null };
    const word = requireField(fields, "field", readToken);
    const column = word && requireColumn(word, scope.table, at.report);
    if (!word || !column || !isApplicable(word, column, fn, at)) return undefined;
    return { fn, column: column.name };
  };
}

function isApplicable(
  word: Token,
  column: ColumnDraft,
  fn: AggregationModel["fn"],
  at: At,
): boolean {
  const { type } = column;
  if (!type || fn === "count" || rulesOf(type).aggregates.includes(fn)) return true;
  at.report.add("AGGREGATION_TYPE", word.place, { fn, column: column.name, type: type.kind });
  return false;
}

/** Returns the read model; null if the resource cannot be read over HTTP. */
export function readReadModel(
  scope: scopes.ResourceScope,
  defaultSort: readonly SortKey[],
  masks: Readonly<Record<string, MaskRule>>,
): ReadModel | null {
  const entry = scope.options.entries.get("read");
  const at = below(scope.options.at, "read");
  const fields = entry && readFields(entry.value, READING, at);
  if (!fields) return null;
  const access = scopes.accessOf(fields, scope);
  const views = readViews(fields, { scope, parent: access, defaultSort, masks });
  // These keys are accepted but have no effect: the contract sets the page size (contract 4.3 rule 3).
  for (const key of ["pageSize", "maxPageSize"] as const) read(fields, key);
  const include = readField(fields, "include", scopes.includesReader(scope));
  const defaultView = readDefaultView(fields);
  return { access, ...includedIn(include), defaultView, views };
}

function includedIn(include: scopes.Includes | undefined) {
  const { keys = [], children = [] } = include ?? {};
  return { include: scopes.textsOf(keys), ...(children.length === 0 ? {} : { children }) };
}

function readDefaultView(fields: Fields<(typeof READING)["members"]>): string | null {
  const word = read(fields, "defaultView");
  if (!word) return null;
  const views = fields.entries.get("views")?.value;
  const names = views?.kind === "object" ? views.entries.map((entry) => entry.key) : [];
  const view = views?.kind === "object"
    ? views.entries.find(({ key }) => key === word.text)?.value
    : undefined;
  // The list returns records, so its view may not be grouped.
  const isGrouped = view?.kind === "object" && view.entries.some(({ key }) => key === "groupBy");
  if (isGrouped) fields.at.report.add("GROUP_MEMBER", word.place, { key: "defaultView" });
  if (names.includes(word.text)) return word.text;
  if (views === undefined || views.kind === "object") {
    const meant = nearest(word.text, names);
    fields.at.report.add("VIEW_UNKNOWN", word.place, { view: word.text, nearest: meant });
  }
  return null;
}
