/** Write bodies: the schema that OpenAPI shows and the checker that the runtime runs are one (contract 4.1, definitions 7). */
import { z } from "zod";
import { pointerTo } from "../../lib/json_pointer.ts";
import { normalizedDateTime } from "../../lib/timestamps.ts";
import type { ColumnModel } from "../../model/column.ts";
import type { ResourceModel } from "../../model/resource.ts";
import type { TableModel } from "../../model/table.ts";
import { clientIdPattern, clientIdRule } from "../client_ids.ts";
import { type ValueKind, valueKindOf } from "../column_kinds.ts";
import type { StoredValue } from "../query.ts";
import { columnNamed } from "../tables.ts";
import { writableColumns, type WriteVerb } from "../writable.ts";
import { clientIdSchema, nullableValueSchema, valueSchema } from "./value_schema.ts";

export type BodyReading =
  | {
    readonly kind: "valid";
    /** By column, in stored form; columns that the body left out are absent. */
    readonly values: ReadonlyMap<string, StoredValue>;
  }
  | {
    readonly kind: "invalid";
    /** Field → message, in table order (contract 7.2, `details.fields`). */
    readonly fields: Readonly<Record<string, string>>;
    /** JSON pointer of the first of them. */
    readonly pointer: string;
  };

export type BodyChecker = (body: Readonly<Record<string, unknown>>) => BodyReading;

/**
 * A checker for the bodies of one verb; build it once. Fields outside the schema are the guards' business and ignored here.
 */
export function bodyCheckerOf(
  verb: WriteVerb,
  resource: ResourceModel,
  table: TableModel,
): BodyChecker {
  const schema = bodySchema(verb, resource, table);
  const kinds = new Map(
    Object.keys(schema.shape).map((name) => [name, valueKindOf(columnNamed(name, table), table)]),
  );
  return (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success
      ? { kind: "valid", values: storedValues(body, kinds) }
      : invalid(parsed.error);
  };
}

/** The schema of a verb's body. On update every field may be left out; on create and PUT those with a default or null. */
export function bodySchema(verb: WriteVerb, resource: ResourceModel, table: TableModel) {
  const fields = new Map<string, z.ZodType>();
  const idRule = verb === "create" ? clientIdRule(table) : "refused";
  const pattern = clientIdPattern(table);
  if (idRule !== "refused" && pattern !== null) {
    const id = clientIdSchema(pattern);
    fields.set(table.primaryKey, idRule === "required" ? id : id.optional());
  }
  for (const column of writableColumns(verb, resource, table)) {
    fields.set(column.name, fieldSchema(verb, column, table));
  }
  return z.object(Object.fromEntries(fields)).meta({ additionalProperties: false });
}

function fieldSchema(verb: WriteVerb, column: ColumnModel, table: TableModel): z.ZodType {
  const kind = valueKindOf(column, table);
  if (kind.kind === "id") throw new Error(`Column "${column.name}" is not a client's to write`);
  const plain = column.nullable ? nullableValueSchema(kind) : valueSchema(kind);
  const value = withDefault(verb, column, plain);
  return isRequired(verb, column) ? value : value.optional();
}

function isRequired(verb: WriteVerb, column: ColumnModel): boolean {
  return verb !== "update" && !column.nullable && column.default === null;
}

function withDefault(verb: WriteVerb, column: ColumnModel, schema: z.ZodType): z.ZodType {
  if (verb === "update" || column.default?.kind !== "literal") return schema;
  return schema.meta({ ...schema.meta(), default: column.default.value });
}

function storedValues(
  body: Readonly<Record<string, unknown>>,
  kinds: ReadonlyMap<string, ValueKind>,
): ReadonlyMap<string, StoredValue> {
  const values = new Map<string, StoredValue>();
  for (const [name, kind] of kinds) {
    if (Object.hasOwn(body, name)) values.set(name, storedValueOf(body[name], kind));
  }
  return values;
}

/** A checked value, or a literal default, as SQLite stores it. */
export function storedValueOf(value: unknown, kind: ValueKind): StoredValue {
  if (value === null) return null;
  if (kind.kind === "json") return JSON.stringify(value);
  switch (typeof value) {
    case "boolean":
      return value ? 1 : 0;
    case "number":
      // Adding zero turns -0, which SQLite would keep in a real column, into 0.
      return value + 0;
    case "string":
      return kind.kind === "timestamp" ? normalizedDateTime(value) : value;
    default:
      throw new Error(`A ${typeof value} cannot be stored as ${kind.kind}`);
  }
}

function invalid(error: z.ZodError): BodyReading {
  const fields = new Map<string, string>();
  for (const { path, message } of error.issues) {
    const name = String(path[0] ?? "");
    if (!fields.has(name)) fields.set(name, message);
  }
  const [first = ""] = fields.keys();
  return {
    kind: "invalid",
    fields: Object.fromEntries(fields),
    pointer: first === "" ? "" : pointerTo(first),
  };
}
