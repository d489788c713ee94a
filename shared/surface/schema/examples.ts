/** Example values that are valid against the schemas beside them, the same in every build. */
import { idExample, scopeOf, valuesOf } from "../../column_types/mod.ts";
import { PAGE_SIZE_DEFAULT } from "../../contract/limits.ts";
import { maskRecord } from "../../contract/masks.ts";
import type { ColumnModel, JsonValue, TableModel } from "../../model/table.ts";
import type { ProjectModel } from "../../model/project.ts";
import type { AggregationModel, ResourceModel } from "../../model/resource.ts";
import { clientIdRule } from "../ids.ts";
import { type Operation, VERBS } from "../operations.ts";
import { type JsonSchema, outputColumns } from "../parameters.ts";
import { columnNamed, tableNamed, tableOf } from "../tables.ts";
import { writableColumns, type WriteVerb } from "../writable.ts";
import { deletedColumns } from "./batch.ts";
import { labelsOf } from "./record.ts";

/** A record as a caller without special roles sees it. */
export function recordExample(
  resource: ResourceModel,
  columns: readonly string[],
  project: ProjectModel,
): JsonSchema {
  const table = tableOf(resource, project);
  const example = new Map<string, JsonValue>();
  for (const name of columns) example.set(name, shownExample(name, resource, table, project));
  for (const { field, table: target, display } of labelsOf(resource, columns)) {
    const shown = tableNamed(target, project);
    example.set(field, valueExample(columnNamed(display, shown), shown, project));
  }
  return Object.fromEntries(example);
}

/** A body with every field that the verb may write. */
export function bodyExample(
  verb: WriteVerb,
  resource: ResourceModel,
  project: ProjectModel,
): JsonSchema {
  const table = tableOf(resource, project);
  const id = verb === "create" && clientIdRule(table) === "required"
    ? [[table.primaryKey, idExample(table)] as const]
    : [];
  const fields = writableColumns(verb, resource, table).map((column) =>
    [column.name, valueExample(column, table, project)] as const
  );
  return Object.fromEntries([...id, ...fields]);
}

/** A page of this one record. */
export function pageExample(
  record: JsonValue,
  { view = null, aggregations = null }: {
    readonly view?: string | null;
    /** Null: the page has none. */
    readonly aggregations?: JsonSchema | null;
  } = {},
): JsonSchema {
  const pagination = {
    count: 1,
    page: 1,
    pageSize: PAGE_SIZE_DEFAULT,
    hasMore: false,
    nextCursor: null,
    prevCursor: null,
  };
  const numbers = aggregations === null ? {} : { aggregations };
  return { data: [record], view, pagination, ...numbers };
}

/** Null: the view declares none. */
export function aggregationsExample(
  aggregations: readonly AggregationModel[],
  table: TableModel,
  project: ProjectModel,
): JsonSchema | null {
  if (aggregations.length === 0) return null;
  return Object.fromEntries(aggregations.map(({ name, fn, column }) => {
    const isValue = column !== null && (fn === "min" || fn === "max");
    return [name, isValue ? valueExample(columnNamed(column, table), table, project) : 1];
  }));
}

function shownExample(
  name: string,
  resource: ResourceModel,
  table: TableModel,
  project: ProjectModel,
): JsonValue {
  const mask = Object.hasOwn(resource.masks, name) ? resource.masks[name] : undefined;
  if (mask) return maskRecord(mask.type).example;
  const column = columnNamed(name, table);
  if (column.manager === "system" && column.name.startsWith("deleted")) return null;
  return valueExample(column, table, project);
}

function valueExample(column: ColumnModel, table: TableModel, project: ProjectModel): JsonValue {
  if (column.references) return idExample(tableNamed(column.references.table, project));
  const scope = scopeOf(column.type);
  if (scope !== null) return `<${scope}_id>`;
  if (column.default?.kind === "literal") return column.default.value;
  return valuesOf(column, table).example(
    column.manager === "system" ? "<user_id>" : `Example ${column.name}`,
  );
}

/** Example of a request body; null: the operation takes none. */
export function requestExample(operation: Operation, project: ProjectModel): JsonSchema | null {
  const { resource, batch } = operation;
  const verb = VERBS[operation.kind];
  if (verb === "read") return null;
  const options = { failFast: false };
  const table = tableOf(resource, project);
  if (verb === "delete") return batch && { ids: [idExample(table)], options };
  const fields = bodyExample(verb, resource, project);
  if (batch === null) return fields;
  const id: JsonSchema = verb === "create" ? {} : { [table.primaryKey]: idExample(table) };
  return { records: [{ ...id, ...fields }], options };
}

/** A batch of one record that went through. */
export function batchExample(operation: Operation, project: ProjectModel): JsonSchema {
  const { kind, resource } = operation;
  const table = tableOf(resource, project);
  const columns = kind === "batchDelete"
    ? deletedColumns(resource, table)
    : outputColumns(operation, table);
  const record: JsonValue = recordExample(resource, columns, project);
  const transactional = kind === "batchCreate";
  const meta = { total: 1, succeeded: 1, failed: 0, failFast: false, transactional };
  return { success: [record], errors: [], meta };
}

/**
 * A value of the first type or option that the schema names, with its optional members. A `pattern` cannot be obeyed: such a
 * schema says its own `default` or `examples`, which go before everything else.
 */
export function schemaExample(schema: JsonSchema): JsonValue {
  const told = toldValue(schema);
  if (told !== undefined) return told;
  for (const keyword of ["oneOf", "anyOf"] as const) {
    const [first] = schemas(schema[keyword]);
    if (first) return schemaExample(first);
  }
  switch (typeOf(schema)) {
    case "object": {
      const { properties, additionalProperties } = schema;
      const members = Object.entries(isSchema(properties) ? properties : {});
      if (members.length === 0 && isSchema(additionalProperties)) {
        return { key: schemaExample(additionalProperties) };
      }
      return Object.fromEntries(
        members.map(([name, member]) => [name, isSchema(member) ? schemaExample(member) : null]),
      );
    }
    case "array": {
      const { items, minItems } = schema;
      const one = isSchema(items) ? schemaExample(items) : "text";
      return Array.from({ length: Math.max(1, Number(minItems ?? 1)) }, () => one);
    }
    case "integer":
    case "number": {
      const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema;
      const step = Number(multipleOf ?? 1);
      const least = minimum ??
        (exclusiveMinimum === undefined ? 1 : Number(exclusiveMinimum) + step);
      const most = maximum ??
        (exclusiveMaximum === undefined ? null : Number(exclusiveMaximum) - step);
      const wanted = Math.max(Number(least), Math.min(1, Number(most ?? 1)));
      return Math.ceil(wanted / step) * step;
    }
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return formatExample(schema);
  }
}

function toldValue(schema: JsonSchema): JsonValue | undefined {
  const { examples, default: byDefault, const: only, enum: values } = schema;
  const first = Array.isArray(examples) ? examples[0] : undefined;
  return first ?? byDefault ?? only ?? (Array.isArray(values) ? values[0] : undefined);
}

function typeOf({ type, properties, items }: JsonSchema): JsonValue | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  if (type !== undefined) return type;
  if (properties !== undefined) return "object";
  return items === undefined ? undefined : "array";
}

const FORMATS: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ["email", "jane@example.com"],
  ["uri", "https://www.example.com/"],
  ["uuid", "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b"],
  ["date-time", "2026-01-31T10:20:30.000Z"],
  ["date", "2026-01-31"],
]);

function formatExample({ format, minLength, maxLength }: JsonSchema): string {
  const known = FORMATS.get(format);
  if (known !== undefined) return known;
  const padded = "text".padEnd(Number(minLength ?? 0), ".");
  return maxLength === undefined ? padded : padded.slice(0, Number(maxLength));
}

function schemas(value: JsonValue | undefined): readonly JsonSchema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
