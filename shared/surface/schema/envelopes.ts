/**
 * Builds the bodies around records: collection, deletion, problem document and the flat 429 (contract 2.5, 2.7, 4.1, 8.1.6).
 */
import { isJsonObject } from "../../lib/json.ts";
import { valuesOf } from "../../column_types/mod.ts";
import type { RuntimeCode } from "../../contract/mod.ts";
import { CHILDREN_MAX, LAYERS, PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../contract/mod.ts";
import { PROBLEM_CODES, RETRY_AFTER_SECONDS, RUNTIME_CODES } from "../../contract/mod.ts";
import type { AggregationModel, GroupKeyModel, Period, TableModel } from "../../model/mod.ts";
import type { JsonSchema } from "../parameters.ts";
import type { Relation } from "../relations.ts";
import { closed } from "./json_schema.ts";
import { columnNamed } from "../tables.ts";
import { orNull } from "./zod_json.ts";

/** Returns the schema of a page of `record`. Its aggregations have the view's name; null: it has none. */
export function pageSchema(
  record: JsonSchema,
  view: string | null,
  aggregations: JsonSchema | null,
): JsonSchema {
  return closed({
    data: {
      type: "array",
      items: record,
      maxItems: PAGE_SIZE_MAX,
      description: "The records of this page, in the order asked for.",
    },
    view: {
      ...(view === null ? { type: "null" } : { const: view }),
      description: "Name of the view that answered; null: none did.",
    },
    pagination: { $ref: "#/components/schemas/Pagination" },
    ...(aggregations === null ? {} : { aggregations }),
  });
}

/** Returns the same object with `included`, which is present when `include` was sent. */
export function withIncluded(object: JsonSchema, included: JsonSchema | null): JsonSchema {
  const { properties } = object;
  if (included === null || !isJsonObject(properties)) return object;
  return { ...object, properties: { ...properties, included } };
}

/**
 * Returns the schema of included targets by foreign key, then by primary key, and of referring rows by the primary key of their
 * record.
 */
export function includedSchema(
  embedded: readonly (Pick<Relation, "name" | "direction"> & { readonly record: JsonSchema })[],
): JsonSchema {
  return {
    type: "object",
    description: "Visible targets by foreign key, then by id. There when `include` was sent.",
    properties: Object.fromEntries(embedded.map(({ name, direction, record }) => [
      name,
      {
        type: "object",
        ...(direction === "parent"
          ? { description: `Records that \`${name}\` names, by id.`, additionalProperties: record }
          : {
            description: `The first of the rows that refer to a record, by its id.`,
            additionalProperties: closed({
              data: { type: "array", items: record, maxItems: CHILDREN_MAX },
              hasMore: { type: "boolean", description: "There are further ones." },
            }),
          }),
      },
    ])),
    additionalProperties: false,
  };
}

export const PAGINATION: JsonSchema = {
  type: "object",
  description:
    "Where the page stands. `total` and `totalPages` are there when `total=true` was sent.",
  properties: {
    count: {
      type: "integer",
      minimum: 0,
      maximum: PAGE_SIZE_MAX,
      description: "Records on this page.",
    },
    page: {
      type: "integer",
      minimum: 1,
      description: "From the offset; by cursor, counted on from the page that the cursor is of.",
    },
    pageSize: {
      type: "integer",
      minimum: PAGE_SIZE_MIN,
      maximum: PAGE_SIZE_MAX,
      description: "Most records that a page of this request holds.",
    },
    hasMore: {
      type: "boolean",
      description: "Whether there are more, in the direction in which the page was taken.",
    },
    nextCursor: {
      type: ["string", "null"],
      minLength: 1,
      description: "For `starting_after`; null on the last page.",
    },
    prevCursor: {
      type: ["string", "null"],
      minLength: 1,
      description: "For `ending_before`; null on the first page.",
    },
    total: { type: "integer", minimum: 0, description: "Records on all pages." },
    totalPages: { type: "integer", minimum: 0, description: "Pages of this size." },
  },
  required: ["count", "page", "pageSize", "hasMore", "nextCursor", "prevCursor"],
  additionalProperties: false,
};

/** Response of a deletion, without the deleted record. */
export const DELETED: JsonSchema = closed({
  success: { const: true, description: "The record is deleted." },
});

export const RATE_LIMITED: JsonSchema = closed({
  error: { const: RUNTIME_CODES.RATE_LIMITED.title, description: "What is wrong." },
  code: { const: "RATE_LIMITED" satisfies RuntimeCode, description: "What is wrong, as a code." },
  retryAfter: { const: RETRY_AFTER_SECONDS, description: "Seconds to wait." },
});

/** Returns the schema of a problem document: RFC 9457 with the contract's members. Its codes are the same in every project. */
export function problemSchema(): JsonSchema {
  return {
    type: "object",
    description: "Problem Details (RFC 9457). `code` says what is wrong, `hint` what to do.",
    properties: {
      type: { type: "string", format: "uri", description: "Identifies the kind of problem." },
      title: {
        type: "string",
        minLength: 1,
        description: "What is wrong, the same for each code.",
      },
      status: {
        type: "integer",
        minimum: 400,
        maximum: 599,
        description: "The HTTP status, repeated.",
      },
      detail: { type: "string", minLength: 1, description: "What is wrong with this request." },
      instance: { type: "string", pattern: "^/", description: "Path of the request." },
      layer: { type: "string", enum: LAYERS, description: "Layer that refused the request." },
      code: { type: "string", enum: PROBLEM_CODES, description: "What is wrong, for programs." },
      details: { type: "object", description: "What the layer has to add." },
      pointer: {
        type: "string",
        pattern: JSON_POINTER,
        description: "JSON pointer (RFC 6901) of the first offending field.",
      },
      hint: { type: "string", minLength: 1, description: "What to do about it." },
      request: REQUEST_ECHO,
    },
    required: ["type", "title", "status", "layer", "code"],
  };
}

const JSON_POINTER = "^(/([^/~]|~[01])*)*$";

const REQUEST_ECHO: JsonSchema = {
  type: "object",
  description: "The request as it was read: secrets redacted, its body capped.",
  properties: {
    method: { type: "string", minLength: 1, description: "Its HTTP method." },
    url: { type: "string", minLength: 1, description: "Its path and query." },
    body: { description: "What of its body is told; absent when there was none." },
    requestId: {
      type: "string",
      minLength: 1,
      description: "The id under which it stands in the log.",
    },
  },
  required: ["method", "url", "requestId"],
};

/** Returns the schema of aggregations; null: the view declares none, so its pages have no such member. */
export function aggregationsSchema(
  aggregations: readonly AggregationModel[],
  table: TableModel,
): JsonSchema | null {
  if (aggregations.length === 0) return null;
  return {
    type: "object",
    description: "Over every matching record that the caller may see, whatever the page.",
    properties: Object.fromEntries(
      aggregations.map((one) => [
        one.name,
        {
          ...valueOf(one, table),
          description: one.column === null
            ? "Number of records."
            : `\`${one.fn}\` of \`${one.column}\`; null over none.`,
        },
      ]),
    ),
    required: aggregations.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Returns the schema of a view's group: the values that its rows share, and their aggregations. */
export function groupSchema(
  groupBy: readonly GroupKeyModel[],
  aggregations: readonly AggregationModel[],
  table: TableModel,
): JsonSchema {
  return closed(Object.fromEntries([
    ...groupBy.map(({ column: name, by }) => {
      const column = columnNamed(name, table);
      const schema = by === null
        ? valuesOf(column, table).schema
        : { type: "string", pattern: PERIOD_PATTERNS[by] };
      const description = by === null
        ? `\`${name}\` of its records.`
        : `The ${by} of \`${name}\`, in UTC.`;
      return [name, { ...(column.nullable ? orNull(schema) : schema), description }];
    }),
    ...aggregations.map((one) => [one.name, {
      ...valueOf(one, table),
      description: one.column === null
        ? "Number of its records."
        : `\`${one.fn}\` of \`${one.column}\`; null over none.`,
    }]),
  ]));
}

const PERIOD_PATTERNS: Readonly<Record<Period, string>> = {
  day: "^\\d{4}-\\d{2}-\\d{2}$",
  week: "^\\d{4}-W\\d{2}$",
  month: "^\\d{4}-\\d{2}$",
};

function valueOf({ fn, column }: AggregationModel, table: TableModel): JsonSchema {
  if (fn === "count" || column === null) return { type: "integer", minimum: 0 };
  const { schema } = valuesOf(columnNamed(column, table), table);
  // Aggregations of a decimal are decimals; a sum may have more digits before the point.
  const isDecimal = schema["format"] === "decimal";
  switch (fn) {
    case "sum":
      return orNull(isDecimal ? schema : { type: schema["type"] ?? null });
    case "avg":
      return orNull(isDecimal ? schema : { type: "number" });
    case "min":
    case "max":
      return orNull(schema);
  }
}
