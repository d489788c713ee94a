/** Builds write bodies: OpenAPI's schema and the runtime's checker are one (contract 4.1, definitions 7). */
import { z } from "zod";
import { stored, valuesOf } from "../../column_types/mod.ts";
import { pointerTo } from "../../lib/json.ts";
import { madeOnce } from "../../lib/memo.ts";
import type { ResourceModel, TableModel } from "../../model/mod.ts";
import { clientIdRule } from "../ids.ts";
import type { JsonSchema } from "../parameters.ts";
import type { StoredValue } from "../query.ts";
import { columnNamed } from "../tables.ts";
import { writableColumns, type WriteVerb } from "../writable.ts";
import { fieldText } from "./record.ts";
import { zodJson } from "./zod_json.ts";

export type BodyReading =
  | {
    readonly kind: "valid";
    /** Values by column, in stored form; columns that the body left out are absent. */
    readonly values: ReadonlyMap<string, StoredValue>;
  }
  | {
    readonly kind: "invalid";
    /** Messages by field, in table order (contract 7.2, `details.fields`). */
    readonly fields: Readonly<Record<string, string>>;
    /** JSON pointer of the first faulty field. */
    readonly pointer: string;
  };

export type BodyChecker = (body: Readonly<Record<string, unknown>>) => BodyReading;

/** Returns a checker for the bodies of one verb, which is built once. The guards check fields outside the schema. */
export function bodyCheckerOf(
  verb: WriteVerb,
  resource: Pick<ResourceModel, "guards">,
  table: TableModel,
  options: BodyOptions = {},
): BodyChecker {
  // The checker is made with the first body, because many operations never get one.
  const made = madeOnce(() => {
    const schema = bodySchema(verb, resource, table, options);
    return { schema, columns: Object.keys(schema.shape).map((name) => columnNamed(name, table)) };
  });
  return (body) => {
    const { schema, columns } = made();
    const parsed = schema.safeParse(body);
    if (parsed.success) {
      const values = new Map<string, StoredValue>();
      for (const column of columns) {
        const { name } = column;
        if (Object.hasOwn(body, name)) values.set(name, stored(column, body[name]));
      }
      return { kind: "valid", values };
    }
    const fields = new Map<string, string>();
    for (const { path, message } of parsed.error.issues) {
      const name = String(path[0] ?? "");
      if (!fields.has(name)) fields.set(name, message);
    }
    const [first = ""] = fields.keys();
    // In a list, the place is the item.
    const place = parsed.error.issues.find(({ path }) => String(path[0] ?? "") === first)?.path;
    return {
      kind: "invalid",
      fields: Object.fromEntries(fields),
      pointer: first === "" ? "" : pointerTo(first, ...(place ?? []).slice(1).map(String)),
    };
  };
}

interface BodyOptions {
  /** True if every field but the id may be absent. Missing fields are filled in or refused later. */
  readonly isPartial?: boolean;
}

/** Returns the schema of a verb's body. On update every field is optional; on create and PUT those with a default or null. */
export function bodySchema(
  verb: WriteVerb,
  resource: Pick<ResourceModel, "guards">,
  table: TableModel,
  { isPartial = verb === "update" }: BodyOptions = {},
) {
  const fields = new Map<string, z.ZodType>();
  const idRule = verb === "create" ? clientIdRule(table) : "refused";
  if (idRule !== "refused") {
    const id = valuesOf(columnNamed(table.primaryKey, table), table).body();
    fields.set(table.primaryKey, idRule === "required" ? id : id.optional());
  }
  for (const column of writableColumns(verb, resource, table)) {
    const values = valuesOf(column, table);
    const plain = column.nullable ? values.nullableBody() : values.body();
    const value = verb === "update" || column.default?.kind !== "literal"
      ? plain
      : plain.meta({ ...plain.meta(), default: column.default.value });
    fields.set(
      column.name,
      !isPartial && !column.nullable && column.default === null ? value : value.optional(),
    );
  }
  return z.object(Object.fromEntries(fields)).meta({ additionalProperties: false });
}

/** Returns a write body's schema for OpenAPI: zod's checks as zod describes them, with a description of each field. */
export function bodyJsonSchema(
  verb: WriteVerb,
  resource: ResourceModel,
  table: TableModel,
): JsonSchema {
  const schema = zodJson(bodySchema(verb, resource, table), "input");
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).map(([name, field]) => [
        name,
        { ...field, description: fieldText(columnNamed(name, table), table) },
      ]),
    ),
  };
}

/**
 * Returns the same schema for generators of types, which by default require a member with a default. Beside `allOf` they ignore
 * it (definitions 7, `default` in request schemas).
 */
export function undemandedJsonSchema(
  verb: WriteVerb,
  resource: ResourceModel,
  table: TableModel,
): JsonSchema {
  const schema = bodyJsonSchema(verb, resource, table);
  const members = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const { description, ...rest } = field;
    return [name, "default" in rest ? { description, allOf: [rest] } : field] as const;
  });
  return { ...schema, properties: Object.fromEntries(members) };
}
