/** Write bodies: the schema that OpenAPI shows and the checker that the runtime runs are one (contract 4.1, definitions 7). */
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
  resource: Pick<ResourceModel, "guards">,
  table: TableModel,
  options: BodyOptions = {},
): BodyChecker {
  // Made with the first body: many an operation never gets one.
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
    // Of a list, the item.
    const place = parsed.error.issues.find(({ path }) => String(path[0] ?? "") === first)?.path;
    return {
      kind: "invalid",
      fields: Object.fromEntries(fields),
      pointer: first === "" ? "" : pointerTo(first, ...(place ?? []).slice(1).map(String)),
    };
  };
}

interface BodyOptions {
  /** Every field but the id may be left out: what lacks is filled in, or refused, later. */
  readonly isPartial?: boolean;
}

/** The schema of a verb's body. On update every field may be left out; on create and PUT those with a default or null. */
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

/** A write body's schema as OpenAPI shows it: what zod checks, said by zod, and what each field is. */
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
 * The same for generators of types, which by their defaults demand a member that has a default: beside `allOf` they see none
 * (definitions 7, `default` in request schemas).
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
