/** `read.views` (definitions 4.5, contract 2.12 and 4.2). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { VIEW } from "../../../../definition_language/resource.ts";
import type { Access, MaskRule } from "../../../../model/access.ts";
import type { SortKey, ViewModel } from "../../../../model/resource.ts";
import { rolesNamedBy } from "../../../../surface/admission.ts";
import { kebabCase } from "../../../../surface/names.ts";
import type { ObjectEntry } from "../../values.ts";
import { type Fields, readField, readFields, requireField } from "../read/fields.ts";
import { read } from "../read/read_member.ts";
import { type At, below, type Token, wrongType } from "../read/reader.ts";
import { readTokens } from "../read/scalars.ts";
import { readAggregations } from "./aggregations.ts";
import {
  accessReader,
  columnTokens,
  foreignKeyTokens,
  type ResourceScope,
  textsOf,
} from "./resource_scope.ts";
import { readSort } from "./sort.ts";
import { checkViewRoles, isCovered } from "./view_roles.ts";

interface ViewScope {
  readonly scope: ResourceScope;
  /** The resource's own read rule. */
  readonly parent: Access;
  /** True when the parent's rule could be read whole: a missing part may be the one that a view needs. */
  readonly knowsParent: boolean;
  readonly defaultSort: readonly SortKey[];
  readonly masks: Readonly<Record<string, MaskRule>>;
}

type ViewFields = Fields<(typeof VIEW)["members"]>;
type QueryFields = Fields<(typeof VIEW)["members"]["query"]["members"]>;

const VIEW_NAME = /^[a-z][A-Za-z0-9_-]*$/;

/** In declared order. */
export function readViews(reading: Fields, context: ViewScope): readonly ViewModel[] {
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

/** Views are told apart by their URL segment. */
function hasOwnSegment({ key, keyPlace }: ObjectEntry, segments: Map<string, string>, at: At) {
  const segment = kebabCase(key);
  const other = segments.get(segment);
  segments.set(segment, key);
  if (!VIEW_NAME.test(key)) at.report.add("VIEW_NAME", keyPlace, { view: key });
  else if (other !== undefined) {
    at.report.add("VIEW_SEGMENT_TAKEN", keyPlace, { name: key, other, segment });
  }
  return VIEW_NAME.test(key) && other === undefined;
}

function readView(entry: ObjectEntry, context: ViewScope, at: At): ViewModel | undefined {
  const { scope, parent } = context;
  const fields = readFields(entry.value, VIEW, at);
  if (!fields) return undefined;
  const columns = requireField(fields, "fields", columnTokens(scope)) ?? [];
  const listed = isWhole(fields, columns) ? columns : [];
  if (isEmptyList(fields)) at.report.add("VIEW_EMPTY", entry.keyPlace, { view: entry.key });
  const own = readField(fields, "access", accessReader(scope));
  const { hierarchy } = scope.analysis.config;
  if (context.knowsParent && hierarchy !== null) {
    checkViewRoles(fields, { own, parent, hierarchy });
  }
  const query = read(fields, "query");
  const include = readField(fields, "include", foreignKeyTokens(scope)) ?? [];
  requireWithin(include, { listed, key: "include" }, fields);
  return {
    name: entry.key,
    segment: kebabCase(entry.key),
    fields: textsOf(columns),
    access: own ? bothBind(parent, own) : parent,
    include: textsOf(include),
    filterable: allowList(query, "filterable", { listed, scope }),
    sortable: sortList(query, { listed, scope, access: own ?? parent, masks: context.masks }),
    searchable: searchList(query, { listed, scope }),
    defaultSort: readViewSort(fields, query, context),
    aggregations: readAggregations(fields, scope),
  };
}

/** A misspelt field was reported; what it stands for is among what seems to be missing. */
function isWhole(fields: ViewFields, columns: readonly Token[]): boolean {
  const value = fields.entries.get("fields")?.value;
  return value?.kind === "array" && value.items.length === columns.length;
}

function isEmptyList(fields: ViewFields): boolean {
  const value = fields.entries.get("fields")?.value;
  return value?.kind === "array" && value.items.length === 0;
}

/** A view whose roles are some of its parent's needs only its own, so that a refusal names the right ones. */
function bothBind(parent: Access, own: Access): Access {
  const narrows = parent.kind === "roles" && own.kind === "roles" &&
    own.roles.every((role) => parent.roles.includes(role));
  return narrows ? own : { kind: "all", of: [parent, own] };
}

interface Listed {
  readonly listed: readonly Token[];
  readonly scope: ResourceScope;
}

function allowList(
  query: QueryFields,
  key: "filterable" | "searchable",
  { listed, scope }: Listed,
): readonly string[] | null {
  const tokens = readField(query, key, columnTokens(scope));
  if (!tokens) return null;
  requireWithin(tokens, { listed, key }, query);
  return textsOf(tokens);
}

/**
 * A view may sort by columns that it does not show, where all who read it see them plain: an order tells what is hidden
 * (definitions 4.4).
 */
function sortList(
  query: QueryFields,
  { listed, scope, access, masks }: Listed & {
    readonly access: Access;
    readonly masks: Readonly<Record<string, MaskRule>>;
  },
): readonly string[] | null {
  const tokens = readField(query, "sortable", columnTokens(scope));
  if (!tokens) return null;
  const roles = rolesNamedBy(access);
  const hidden = tokens.filter(({ text }) => {
    const mask = Object.hasOwn(masks, text) ? masks[text] : undefined;
    return mask !== undefined && !isSeenByAll(mask, roles);
  });
  requireWithin(hidden, { listed, key: "sortable" }, query);
  return textsOf(tokens);
}

/** True when every named role sees the column plain; where none is named, anybody may read. */
function isSeenByAll({ showRoles }: MaskRule, roles: readonly string[]): boolean {
  return roles.length > 0 && roles.every((role) => isCovered(role, showRoles));
}

/** `search` compares text (contract 4.3). */
function searchList(
  query: QueryFields,
  { listed, scope }: Listed,
): readonly string[] | null {
  const searchable = allowList(query, "searchable", { listed, scope });
  const tokens = readField(query, "searchable", readTokens);
  for (const { text, place } of (searchable && tokens) ?? []) {
    const type = scope.table.columns.get(text)?.type;
    if (!type || rulesOf(type).isText) continue;
    query.at.report.add("SEARCH_TYPE", place, { column: text, type: type.kind });
  }
  return searchable;
}

function requireWithin(
  tokens: readonly Token[],
  { listed, key }: { readonly listed: readonly Token[]; readonly key: string },
  { at }: Fields,
): void {
  // Without readable fields nothing can be outside them.
  if (listed.length === 0) return;
  const names = textsOf(listed);
  for (const { text, place } of tokens) {
    if (!names.includes(text)) at.report.add("VIEW_FIELD_MISSING", place, { column: text, key });
  }
}

/** Here or under `query`; not both. */
function readViewSort(
  fields: ViewFields,
  query: QueryFields,
  { scope, defaultSort }: ViewScope,
): readonly SortKey[] {
  const reader = readSort(scope.table);
  const outer = readField(fields, "defaultSort", reader);
  const inner = readField(query, "defaultSort", reader);
  const second = query.entries.get("defaultSort");
  if (second && fields.entries.has("defaultSort")) {
    const details = { key: "defaultSort", other: "query.defaultSort" };
    fields.at.report.add("KEY_TWICE", second.keyPlace, details);
  }
  return inner ?? outer ?? defaultSort;
}
