/**
 * Reads the parameters of a query string in sequence into a draft (contract 4.3, definitions 7). The first that is unknown,
 * repeated or malformed refuses the request.
 */
import * as limits from "../contract/limits.ts";
import { FOLDED_TEXTS, type StoredValue } from "../column_types/mod.ts";
import { nearest } from "../lib/nearest.ts";
import { valuesIn } from "../lib/value_list.ts";
import type { Principal, SortKey } from "../model/mod.ts";
import { mayQueryBy, sightOf } from "./column_sight.ts";
import { SEARCH_WORDS_MAX, searchWords } from "./full_text.ts";
import { isOtherSpelling } from "./ids.ts";
import type { Parameter, ParameterUse } from "./parameter.ts";
import { maxBytesOf, readNear } from "./near.ts";
import type { Relation } from "./relations.ts";
import { readWhere } from "./read_where.ts";
import type { QueryPlan, QueryRefusal } from "./query.ts";
import type { QueryDraft } from "./query_draft.ts";

export interface QueryRequest {
  readonly parameters: URLSearchParams;
  readonly principal: Principal;
}

interface ReadingContext {
  readonly plan: QueryPlan;
  readonly request: QueryRequest;
  readonly draft: QueryDraft;
}

type Reading = { readonly kind: "read"; readonly draft: QueryDraft } | QueryRefusal;

export function readParameters(plan: QueryPlan, request: QueryRequest): Reading {
  const draft: QueryDraft = {
    limit: limits.PAGE_SIZE_DEFAULT,
    offset: null,
    cursor: null,
    sort: null,
    order: null,
    columns: plan.columns,
    withTotal: false,
    search: null,
    scope: null,
    filters: [],
    where: null,
    deleted: null,
    near: null,
    include: null,
    embeddedFields: new Map(),
  };
  const seen = new Set<string>();
  let count = 0;
  for (const [name, text] of request.parameters) {
    const parameter = plan.parameters.get(name);
    const isList = parameter?.use.kind === "filter" && parameter.use.isList;
    if (seen.has(name) && !isList) {
      return parameterRefusal(name, `Parameter "${clipped(name)}" is given more than once`);
    }
    seen.add(name);
    count += 1;
    if (count > limits.QUERY_PARAMETERS_MAX) {
      return parameterRefusal(
        name,
        `More than ${limits.QUERY_PARAMETERS_MAX} parameters are given`,
      );
    }
    if (!parameter) return unknownParameter(name, plan);
    // A UTF-16 unit is at most three bytes of UTF-8, so most texts can be measured without encoding them.
    const maxBytes = maxBytesOf(parameter);
    const isShort = text.length * 3 <= maxBytes ||
      new TextEncoder().encode(text).length <= maxBytes;
    const refusal = isShort
      ? readParameter(parameter, text, { plan, request, draft })
      : parameterRefusal(
        name,
        `Parameter "${name}" is longer than ${maxBytes} bytes`,
      );
    if (refusal) return refusal;
  }
  return embedRefusal(draft, plan) ?? { kind: "read", draft };
}

function readParameter(
  { name, use }: Parameter,
  text: string,
  context: ReadingContext,
): QueryRefusal | null {
  const { draft } = context;
  switch (use.kind) {
    case "limit":
      if (!/^-?\d+$/.test(text)) return formRefusal(name, "a whole number from 1 to 100");
      draft.limit = Math.min(limits.PAGE_SIZE_MAX, Math.max(limits.PAGE_SIZE_MIN, Number(text)));
      return null;
    case "offset":
      if (!/^\d+$/.test(text) || !Number.isSafeInteger(Number(text))) {
        return formRefusal(name, "a whole number from 0");
      }
      draft.offset = Number(text);
      return null;
    case "order":
      if (text !== "asc" && text !== "desc") return formRefusal(name, "asc or desc");
      draft.order = text;
      return null;
    case "total":
      if (text !== "true" && text !== "false") return formRefusal(name, "true or false");
      draft.withTotal = text === "true";
      return null;
    case "deleted":
      if (text !== "only" && text !== "with") return formRefusal(name, "only or with");
      draft.deleted = text;
      return null;
    case "download":
      return text === "1" ? null : formRefusal(name, "1");
    case "cursor":
      if (draft.cursor) return together(name, draft.cursor.parameter);
      draft.cursor = { direction: use.direction, parameter: name, text };
      return null;
    case "sort":
      return readSort(text, use.columns, context);
    case "fields":
      return readFields(text, use, draft);
    case "include":
      return readInclude(text, use.columns, context);
    case "embeddedFields":
      return readEmbeddedFields(text, use.column, use.fields, draft);
    case "search":
      return readSearch(text, use, context);
    case "scope": {
      if (text === "" || text.includes("\0")) {
        return formRefusal("organizationId", "an organization's id");
      }
      draft.scope = { organizationId: text };
      draft.filters.push({ column: use.column, operator: "eq", values: [text] });
      return null;
    }
    case "near":
      return readNearness(name, text, use, context);
    case "where": {
      const where = readWhere(text, use.scope, context.request.principal);
      if (where.kind === "fault") {
        return parameterRefusal(name, `Parameter "${name}" ${where.message.replace(/,$/, "")}`);
      }
      draft.where = where;
      return null;
    }
    case "filter":
      return readFilter({ name, text, use }, context);
  }
}

function readNearness(
  name: string,
  text: string,
  use: Extract<ParameterUse, { kind: "near" }>,
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const { column } = use.vector;
  if (draft.near) return together(name, draft.near.parameter);
  if (!mayQueryBy(column.name, plan.resource, request.principal)) {
    return maskRefusal(name, column.name);
  }
  const near = readNear(name, text, use);
  if (typeof near === "string") return formRefusal(name, near);
  draft.near = near;
  return null;
}

function readFilter(
  filter: {
    readonly name: string;
    readonly text: string;
    readonly use: Extract<ParameterUse, { kind: "filter" }>;
  },
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const { name, text, use: { column, operator, isList, values: type, keyOf } } = filter;
  if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal(name, column);
  const items = isList ? valuesIn(text) : [text];
  if (items === null) {
    return formRefusal(name, "values parted by commas, those with a comma or a quote in quotes");
  }
  const values: Exclude<StoredValue, null>[] = [];
  for (const item of items) {
    if (item.includes("\0")) return formRefusal(name, NO_NUL);
    const value = type.read(item);
    if (value === undefined) return formRefusal(name, type.expected);
    if (isOtherSpelling(item, keyOf)) return formRefusal(name, "an id as the API spells it");
    values.push(value);
  }
  const before = draft.filters.findIndex((one) =>
    one.column === column && one.operator === operator
  );
  const others = draft.filters[before]?.values ?? [];
  draft.filters.splice(before === -1 ? draft.filters.length : before, 1, {
    column,
    operator,
    values: [...others, ...values],
  });
  const count = draft.filters.reduce((sum, { values }) => sum + values.length, 0);
  return count <= limits.QUERY_VALUES_MAX
    ? null
    : parameterRefusal(name, `More than ${limits.QUERY_VALUES_MAX} values are given`);
}

function readSearch(
  text: string,
  { columns: searchable, isFullText }: Extract<ParameterUse, { kind: "search" }>,
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  if (text.includes("\0")) return formRefusal("search", NO_NUL);
  if (text === "") return null;
  if (isFullText) {
    if (searchWords(text) === null) {
      return formRefusal("search", `at most ${SEARCH_WORDS_MAX} words`);
    }
  } else if (FOLDED_TEXTS.read(text) === undefined) {
    return formRefusal("search", FOLDED_TEXTS.expected);
  }
  const columns = searchable.filter((column) =>
    mayQueryBy(column, plan.resource, request.principal)
  );
  draft.search = { columns, text, isFullText };
  return null;
}

const NO_NUL = "text without NUL characters";

function readSort(
  text: string,
  sortable: readonly string[],
  { plan, request, draft }: ReadingContext,
): QueryRefusal | null {
  const keys: SortKey[] = [];
  for (const item of text.split(",")) {
    const descending = item.startsWith("-");
    const column = descending ? item.slice(1) : item;
    if (!sortable.includes(column)) {
      return parameterRefusal(
        "sort",
        `Cannot sort by "${clipped(column)}"${suggestion(column, sortable)}`,
      );
    }
    if (!mayQueryBy(column, plan.resource, request.principal)) return maskRefusal("sort", column);
    if (keys.some((key) => key.column === column)) {
      return parameterRefusal("sort", `Parameter "sort" names "${column}" more than once`);
    }
    keys.push({ column, descending });
    if (keys.length > limits.SORT_FIELDS_MAX) {
      return parameterRefusal(
        "sort",
        `Parameter "sort" names more than ${limits.SORT_FIELDS_MAX} fields`,
      );
    }
  }
  draft.sort = { keys, isMulti: text.includes(",") || text.startsWith("-") };
  return null;
}

/** Reads the selection of fields: `fields`, `include` and `fields[<fk>]` (contract 4.3 rules 4 and 5). */
function readFields(
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

/** Reads `include`. A key that is masked for the caller is refused, because its target would reveal it. */
function readInclude(
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
    const { direction, column, resource } = relationNamed(name, plan);
    const key = direction === "parent"
      ? sightOf(plan.resource, column.name, request.principal).kind
      : sightOf(resource, column.name, request.principal).kind;
    if (key === "masked" || direction === "children" && key !== "plain") {
      return maskRefusal("include", column.name);
    }
  }
  draft.include = allowed.filter((column) => names.includes(column));
  return null;
}

function relationNamed(name: string, { embeddables }: QueryPlan): Relation {
  const relation = embeddables.find((one) => one.name === name);
  if (!relation) throw new Error(`Nothing called "${name}" can be included`);
  return relation;
}

/** Reads `fields[<fk>]`. Only bare `fields` ignores unknown names in v1 (contract 4.3 rule 5). */
function readEmbeddedFields(
  text: string,
  column: string,
  fields: readonly string[],
  draft: QueryDraft,
): QueryRefusal | null {
  const names = text.split(",");
  const unknown = names.find((name) => !fields.includes(name));
  if (unknown !== undefined) {
    return parameterRefusal(
      `fields[${column}]`,
      `Unknown field "${clipped(unknown)}"${suggestion(unknown, fields)}`,
    );
  }
  draft.embeddedFields.set(column, fields.filter((field) => names.includes(field)));
  return null;
}

/** Refuses combinations of the three that contradict each other, in any order; null: there are none. */
function embedRefusal(
  { columns, include, embeddedFields }: QueryDraft,
  plan: QueryPlan,
): QueryRefusal | null {
  for (const name of include ?? []) {
    const isParent = relationNamed(name, plan).direction === "parent";
    if (columns.includes(isParent ? name : plan.table.primaryKey)) continue;
    const needed = isParent ? "it" : `"${plan.table.primaryKey}"`;
    const message = `Including "${name}" needs ${needed} among the "fields" that answer`;
    return parameterRefusal("include", message);
  }
  const idle = [...embeddedFields.keys()].find((column) => !include?.includes(column));
  if (idle === undefined) return null;
  return parameterRefusal(
    `fields[${idle}]`,
    `Parameter "fields[${idle}]" needs "include" to name "${idle}"`,
  );
}

function unknownParameter(name: string, plan: QueryPlan): QueryRefusal {
  const column = name.slice(0, Math.max(0, name.lastIndexOf(".")));
  const operators = [...plan.parameters.values()].flatMap(({ use }) =>
    use.kind === "filter" && use.column === column && use.operator !== "eq" ? [use.operator] : []
  );
  if (operators.length > 0) {
    const operator = clipped(name.slice(column.length + 1));
    return parameterRefusal(
      name,
      `Unknown operator "${operator}" on "${column}"; it takes ${operators.join(", ")}`,
    );
  }
  const known = [...plan.parameters.keys()];
  return parameterRefusal(name, `Unknown parameter "${clipped(name)}"${suggestion(name, known)}`);
}

/**
 * Returns the refusal of a query string (contract 4.3 rule 1, definitions 7). Its message names the parameter and a solution.
 */
export function parameterRefusal(parameter: string, message: string): QueryRefusal {
  return { kind: "refused", parameter: clipped(parameter), message };
}

function formRefusal(parameter: string, form: string): QueryRefusal {
  return parameterRefusal(parameter, `Parameter "${parameter}" needs ${form}`);
}

/** Returns the refusal of a masked column. It is the same for every caller and reveals nothing about any value. */
function maskRefusal(parameter: string, column: string): QueryRefusal {
  return parameterRefusal(
    parameter,
    `Column "${column}" is masked for this caller and cannot be asked by`,
  );
}

function suggestion(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === null ? "" : `; did you mean "${near}"?`;
}

/** Shortens a name that the caller wrote, for a message. */
function clipped(name: string): string {
  return name.length <= 64 ? name : `${name.slice(0, 64)}…`;
}

export function together(parameter: string, other: string): QueryRefusal {
  return parameterRefusal(
    parameter,
    `Parameters "${parameter}" and "${other}" cannot be given together`,
  );
}
