/** The bodies around records: collection, deletion, problem document and the flat 429 (contract 2.5, 2.7, 4.1, 8.1.6). */
import { LAYERS, RUNTIME_CODES, type RuntimeCode } from "../../contract/codes.ts";
import { RETRY_AFTER_SECONDS } from "../../contract/rate_limits.ts";
import type { JsonValue } from "../../model/column.ts";
import type { JsonSchema } from "../parameters.ts";

/** What else a page has: numbers always, embedded targets when they were asked for; null: never. */
export interface PageExtras {
  readonly aggregations: JsonSchema | null;
  readonly included: JsonSchema | null;
}

/** A page of what `record` describes, under this view's name. */
export function pageSchema(
  record: JsonSchema,
  view: string | null,
  { aggregations, included }: PageExtras,
): JsonSchema {
  const page = closed({
    data: { type: "array", items: record },
    view: view === null ? { type: "null" } : { const: view },
    pagination: { $ref: "#/components/schemas/Pagination" },
    ...(aggregations === null ? {} : { aggregations }),
  });
  return withIncluded(page, included);
}

/** The same object with `included`, which is there when `include` was sent. */
export function withIncluded(object: JsonSchema, included: JsonSchema | null): JsonSchema {
  const { properties } = object;
  if (included === null || !isMembers(properties)) return object;
  return { ...object, properties: { ...properties, included } };
}

function isMembers(value: JsonValue | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Embedded targets by foreign key, then by primary key; `records` describes each key's. */
export function includedSchema(records: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    description: "Visible targets by foreign key, then by id. There when `include` was sent.",
    properties: Object.fromEntries(
      Object.entries(records).map(([column, record]) => [
        column,
        { type: "object", additionalProperties: record },
      ]),
    ),
    additionalProperties: false,
  };
}

export const PAGINATION: JsonSchema = {
  type: "object",
  description:
    "Where the page stands. `total` and `totalPages` are there when `total=true` was sent.",
  properties: {
    count: { type: "integer", minimum: 0, description: "Records on this page." },
    page: {
      type: "integer",
      minimum: 1,
      description: "From the offset; by cursor, counted on from the page that the cursor is of.",
    },
    pageSize: { type: "integer", minimum: 1 },
    hasMore: {
      type: "boolean",
      description: "Whether there are more, in the direction in which the page was taken.",
    },
    nextCursor: { type: ["string", "null"], description: "For `starting_after`." },
    prevCursor: { type: ["string", "null"], description: "For `ending_before`." },
    total: { type: "integer", minimum: 0 },
    totalPages: { type: "integer", minimum: 0 },
  },
  required: ["count", "page", "pageSize", "hasMore", "nextCursor", "prevCursor"],
  additionalProperties: false,
};

/** The deleted record is not returned. */
export const DELETED: JsonSchema = closed({ success: { const: true } });

export const RATE_LIMITED: JsonSchema = closed({
  error: { const: RUNTIME_CODES.RATE_LIMITED.title },
  code: { const: "RATE_LIMITED" satisfies RuntimeCode },
  retryAfter: { const: RETRY_AFTER_SECONDS },
});

/** RFC 9457 with the contract's members; `codes` is everything that the described API answers with. */
export function problemSchema(codes: readonly RuntimeCode[]): JsonSchema {
  return {
    type: "object",
    description: "Problem Details (RFC 9457). `code` says what is wrong, `hint` what to do.",
    properties: {
      type: { type: "string", format: "uri" },
      title: { type: "string" },
      status: { type: "integer", minimum: 400, maximum: 599 },
      detail: { type: "string" },
      instance: { type: "string", description: "Path of the request." },
      layer: { type: "string", enum: LAYERS, description: "Layer that refused the request." },
      code: { type: "string", enum: codes },
      details: { type: "object", description: "What the layer has to add." },
      pointer: { type: "string", description: "JSON pointer of the first offending field." },
      hint: { type: "string" },
      request: REQUEST_ECHO,
    },
    required: ["type", "title", "status", "layer", "code"],
  };
}

const REQUEST_ECHO: JsonSchema = {
  type: "object",
  description: "The request as it was read: secrets redacted, its body capped.",
  properties: {
    method: { type: "string" },
    url: { type: "string" },
    body: {},
    requestId: { type: "string" },
  },
  required: ["method", "url", "requestId"],
};

/** A problem of one status, limited to the codes that can bring it about. */
export function problemOf(status: number, codes: readonly RuntimeCode[]): JsonSchema {
  return {
    allOf: [
      { $ref: "#/components/schemas/Problem" },
      {
        type: "object",
        properties: { status: { const: status }, code: { type: "string", enum: codes } },
      },
    ],
  };
}

function closed(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}
