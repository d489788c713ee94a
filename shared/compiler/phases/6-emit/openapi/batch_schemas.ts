/** Components of batches (contract 2.6, 4.1 rule 6). */
import type { ProjectModel } from "../../../../model/project.ts";
import {
  BATCH_ID_ERROR,
  BATCH_META,
  BATCH_RECORD_ERROR,
  batchErrorSchema,
  batchSchema,
  chosenIdSchema,
  deletedColumns,
  idsBodySchema,
  idSchema,
  namedRecordSchema,
  recordsBodySchema,
} from "../../../../surface/schema/batch.ts";
import { type Operation, VERBS } from "../../../../surface/operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { itemCodesOf } from "../../../../surface/responses.ts";
import { undemandedJsonSchema } from "../../../../surface/schema/body.ts";
import { recordSchema } from "../../../../surface/schema/record.ts";
import { tableOf } from "../../../../surface/tables.ts";
import { batchName, bodyName, isBodyKind, recordName, schemaRef } from "./component_names.ts";

type Schemas = readonly (readonly [name: string, JsonSchema])[];

/** Body and answer of a batch; none for any other operation. */
export function batchSchemas(operation: Operation, project: ProjectModel): Schemas {
  const { kind, resource, batch } = operation;
  if (batch === null || !isBodyKind(kind)) return [];
  const table = tableOf(resource, project);
  const verb = VERBS[kind];
  if (verb === "read") return [];
  if (verb === "delete") {
    const record = recordSchema(resource, deletedColumns(resource, table), project);
    return [
      [bodyName(kind, operation), idsBodySchema(table, batch)],
      [batchName("id", operation), batchSchema(record, "id")],
    ];
  }
  const fields = undemandedJsonSchema(verb, resource, table);
  const id = verb === "upsert" ? chosenIdSchema(table) : idSchema(table);
  const record = verb === "create" ? fields : namedRecordSchema(fields, table, id);
  return [
    [bodyName(kind, operation), recordsBodySchema(record, batch)],
    [batchName("record", operation), batchSchema(schemaRef(recordName(operation)), "record")],
  ];
}

/** Schemas that all batches share; empty where there is no batch. */
export function sharedBatchSchemas(
  operations: readonly Operation[],
  project: ProjectModel,
): JsonSchema {
  const batches = operations.filter(({ batch }) => batch !== null);
  if (batches.length === 0) return {};
  const codes = new Set(batches.flatMap((operation) => itemCodesOf(operation, project)));
  const hasIds = batches.some(({ kind }) => VERBS[kind] === "delete");
  const hasRecords = batches.some(({ kind }) => VERBS[kind] !== "delete");
  return {
    ...(hasRecords ? { BatchRecordError: BATCH_RECORD_ERROR } : {}),
    ...(hasIds ? { BatchIdError: BATCH_ID_ERROR } : {}),
    BatchError: batchErrorSchema([...codes].sort()),
    BatchMeta: BATCH_META,
  };
}
