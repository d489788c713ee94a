/**
 * Describes the filters of a list (contract 4.3) as few parameters. Each is an object whose members are separate query
 * parameters, which is `style: form` with `explode`. The schemas are plain objects, because generators of clients explode no
 * other kind. A list of values is one text, because the format does not define lists in objects.
 */
import type { JsonSchema } from "../../../../contract/mod.ts";
import { QUERY_VALUES_MAX, SOFT_DELETE_FIELDS, SYSTEM_FIELDS } from "../../../../contract/mod.ts";
import { listItem } from "../../../../lib/value_list.ts";
import type { TableModel } from "../../../../model/mod.ts";
import type { Parameter, ParameterUse } from "../../../../surface/mod.ts";
import type { Components, Reference } from "./components.ts";

type FilterUse = Extract<ParameterUse, { readonly kind: "filter" }>;

export interface FilterParameter extends Parameter {
  readonly use: FilterUse;
}

export function isFilter(parameter: Parameter): parameter is FilterParameter {
  return parameter.use.kind === "filter";
}

/**
 * Returns one parameter of this name for the columns that a project declares, and one for each group of columns that many
 * tables have.
 */
export function filterParameters(
  name: string,
  filters: readonly FilterParameter[],
  { columns }: TableModel,
  components: Components,
): readonly Reference[] {
  const managed = columns.filter(({ manager }) => manager !== "client").map(({ name }) => name);
  const isOf = (group: readonly string[]) => ({ use }: FilterParameter) =>
    group.includes(use.column);
  const refer = (component: string, name: string, members: readonly FilterParameter[]) => {
    if (members.length === 0) return [];
    const key = members.map(({ name, use }) => `${name} ${use.values.querySchema["type"]}`).join();
    const make = () => filtersParameter(name, members, components);
    return [components.referVariant("parameters", component, key, make)];
  };
  const scopes = managed.filter((column) => !SYSTEM.includes(column));
  return [
    ...refer(name, "filters", filters.filter(({ use }) => !managed.includes(use.column))),
    ...refer("ScopeFilters", "scopeFilters", filters.filter(isOf(scopes))),
    ...refer("StampFilters", "stampFilters", filters.filter(isOf(STAMPS))),
    ...refer("DeletionFilters", "deletionFilters", filters.filter(isOf(DELETION))),
  ];
}

const SYSTEM: readonly string[] = SYSTEM_FIELDS;
const DELETION: readonly string[] = SOFT_DELETE_FIELDS;
const STAMPS = SYSTEM.filter((column) => !DELETION.includes(column));

function filtersParameter(
  name: string,
  filters: readonly FilterParameter[],
  components: Components,
): JsonSchema {
  const members = filters.map(({ name, use }) => [name, valueSchema(use, components)] as const);
  return {
    name,
    in: "query",
    style: "form",
    explode: true,
    description:
      "Each member is a parameter, `field=value` or `field.op=value`; all must hold. `like`: a part of the text; `ilike`: in any case; `in`, `nin`: values parted by commas; `null`: whether it is not set.",
    schema: { type: "object", properties: Object.fromEntries(members) },
  };
}

function valueSchema({ values, isList }: FilterUse, components: Components): JsonSchema {
  const { querySchema, jsonItem } = values;
  if (isList) return listSchema(jsonItem ?? querySchema, components);
  return jsonItem === null ? shared(querySchema, components) : shared(JSON_TEXT, components);
}

/** Schema of a value that is written as JSON. */
const JSON_TEXT: JsonSchema = { type: "string", contentMediaType: "application/json" };

/** Moves a schema that is longer than a reference to it under `components`. */
function shared(schema: JsonSchema, components: Components): JsonSchema {
  const { type, enum: values, contentMediaType, maxLength } = schema;
  const key = JSON.stringify(schema);
  if (values !== undefined || key.length < 40) return schema;
  const text = maxLength === undefined ? "Text" : "Part";
  const name = contentMediaType !== undefined ? "JsonText" : type === "string" ? text : "Moment";
  return components.referVariant("schemas", name, key, () => ({
    ...schema,
    description: VALUES[name],
  }));
}

const VALUES = {
  Text: "A text to compare with.",
  Part: "A text to look for, in upper or lower case.",
  Moment: "A date-time with its time zone, or a date.",
  JsonText: "A value as JSON.",
} as const;

/** Keyword with the schema of the items between commas. */
const ITEMS_KEYWORD = "x-items";

function listSchema(items: JsonSchema, components: Components): JsonSchema {
  const { type, format, enum: values } = items;
  if (Array.isArray(values)) {
    const one = `(?:${
      values.map((value) => listItem(String(value)).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join(
        "|",
      )
    })`;
    return { type: "string", pattern: `^${one}(?:,${one})*$` };
  }
  const kind = format ?? type;
  const name = LISTS.get(kind) ?? "Moments";
  return components.referVariant("schemas", name, JSON.stringify(items), () => ({
    type: "string",
    description:
      `Values parted by commas, at most ${QUERY_VALUES_MAX}; one with a comma or a quote in quotes.`,
    [ITEMS_KEYWORD]: items,
  }));
}

const LISTS: ReadonlyMap<unknown, string> = new Map([
  ["string", "Texts"],
  ["integer", "Integers"],
  ["number", "Numbers"],
  ["boolean", "Flags"],
  ["date", "Days"],
]);
