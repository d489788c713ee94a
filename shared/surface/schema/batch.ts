/** Builds schemas of batches' bodies and responses (contract 2.6, 4.1 rule 6). */
import { LAYERS, type RuntimeCode, SOFT_DELETE_FIELDS, TEXT_PATTERN } from "../../contract/mod.ts";
import type { BatchModel, ResourceModel, TableModel } from "../../model/mod.ts";
import { clientIdPattern } from "../ids.ts";
import type { JsonSchema } from "../parameters.ts";

/** Returns the schema of `{ records, options }`; `record` describes one of them. */
export function recordsBodySchema(record: JsonSchema, batch: BatchModel): JsonSchema {
  return entriesBody("records", record, batch);
}

/** Returns the schema of `{ ids, options }`. */
export function idsBodySchema(table: TableModel, batch: BatchModel): JsonSchema {
  return entriesBody("ids", idSchema(table), batch);
}

function entriesBody(member: "records" | "ids", items: JsonSchema, batch: BatchModel): JsonSchema {
  const entries = {
    type: "array",
    items,
    minItems: 1,
    maxItems: batch.maxBatchSize,
    ...(member === "ids" ? { uniqueItems: true } : {}),
    description: member === "ids" ? "Ids of the records." : "The records, each judged by itself.",
  };
  return {
    type: "object",
    properties: {
      [member]: entries,
      options: { $ref: `#/components/schemas/${batchOptions(batch).name}` },
    },
    required: [member],
    additionalProperties: false,
  };
}

/** Returns `options` of a batch, which decide whether the first refusal ends it. */
export function batchOptions(
  { allowFailFast }: BatchModel,
): { readonly name: string; readonly schema: JsonSchema } {
  const failFast = allowFailFast
    ? { type: "boolean", default: false, description: "Stop, and undo all, at the first refusal." }
    : { const: false, description: "Is not allowed to be true here." };
  return {
    name: allowFailFast ? "BatchOptions" : "PatientBatchOptions",
    schema: {
      type: "object",
      description: "How the batch is carried out.",
      properties: { failFast },
      additionalProperties: false,
    },
  };
}

/** Returns the schema of the id of an existing record. */
export function idSchema({ idStrategy }: TableModel): JsonSchema {
  return idStrategy === "serial"
    ? { type: "integer", minimum: 1, description: "Id of a record." }
    : { type: "string", minLength: 1, pattern: TEXT_PATTERN, description: "Id of a record." };
}

/** Returns the schema of the id of a record that a PUT may create; integers are always counted. */
export function chosenIdSchema(table: TableModel): JsonSchema {
  const pattern = clientIdPattern(table);
  return pattern === null
    ? idSchema(table)
    : { type: "string", pattern, description: "Id of a record." };
}

/** Returns the schema of a record's fields and its id. */
export function namedRecordSchema(
  fields: JsonSchema,
  table: TableModel,
  id: JsonSchema,
): JsonSchema {
  const { properties, required } = fields;
  return {
    ...fields,
    properties: {
      [table.primaryKey]: id,
      ...typeof properties === "object" && properties !== null && !Array.isArray(properties)
        ? Object.fromEntries(Object.entries(properties))
        : {},
    },
    required: [table.primaryKey, ...(Array.isArray(required) ? required : [])],
  };
}

/**
 * Returns the schema of `{ success, errors, meta }`. `record` describes the written records, `entry` the part of the input that
 * an error item repeats.
 */
export function batchSchema(record: JsonSchema, entry: "record" | "id"): JsonSchema {
  const component = entry === "record" ? "BatchRecordError" : "BatchIdError";
  return closed("What became of each record.", {
    success: { type: "array", items: record, description: "What was written, in order." },
    errors: {
      type: "array",
      items: { $ref: `#/components/schemas/${component}` },
      description: "What was refused, in order.",
    },
    meta: { $ref: "#/components/schemas/BatchMeta" },
  });
}

export const BATCH_META: JsonSchema = closed("How the batch went.", {
  total: { type: "integer", minimum: 1, description: "Records that the request named." },
  succeeded: { type: "integer", minimum: 0, description: "Records that were written." },
  failed: { type: "integer", minimum: 0, description: "Records that were refused." },
  failFast: { type: "boolean", description: "Whether the first refusal was to end the request." },
  transactional: {
    type: "boolean",
    description: "Whether a failure would have undone, or has undone, everything.",
  },
});

/**
 * Returns the schema of a refused record. `codes` are all refusals of single records in the described API; null: the author's
 * code has its own.
 */
export function batchErrorSchema(codes: readonly RuntimeCode[] | null): JsonSchema {
  return closed("Why the record was refused.", {
    error: { type: "string", minLength: 1, description: "What is wrong, the same for each code." },
    layer: { type: "string", enum: LAYERS, description: "Layer that refused the record." },
    code: {
      type: "string",
      ...(codes === null ? {} : { enum: codes }),
      description: "What is wrong, for programs.",
    },
    details: { type: "object", description: "What the layer has to add." },
    hint: {
      type: "string",
      ...(codes === null ? {} : { minLength: 1 }),
      description: "What to do about it.",
    },
  });
}

const INDEX: JsonSchema = { type: "integer", minimum: 0, description: "Place in the request." };
const ERROR: JsonSchema = { $ref: "#/components/schemas/BatchError" };

export const BATCH_RECORD_ERROR: JsonSchema = closed("A refused record.", {
  index: INDEX,
  record: { description: "As it was sent." },
  error: ERROR,
});

export const BATCH_ID_ERROR: JsonSchema = closed("A record that was not deleted.", {
  index: INDEX,
  id: { type: ["string", "integer"], description: "As it was sent." },
  error: ERROR,
});

function closed(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    type: "object",
    description,
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

/**
 * Returns the columns of each record in the response of a batch delete (contract 4.1): its stamps, or its id alone after a
 * permanent deletion.
 */
export function deletedColumns(resource: ResourceModel, table: TableModel): readonly string[] {
  const isSoft = resource.delete?.mode === "soft";
  return [table.primaryKey, ...(isSoft ? SOFT_DELETE_FIELDS : [])];
}
