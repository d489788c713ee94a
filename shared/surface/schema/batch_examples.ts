/** Examples of write bodies and of batch answers, valid against the schemas beside them. */
import { idExample } from "../../column_types/mod.ts";
import type { JsonValue } from "../../model/column.ts";
import type { ProjectModel } from "../../model/project.ts";
import { deletedColumns } from "../deleted_columns.ts";
import { type Operation, VERBS } from "../operations.ts";
import { type JsonSchema, outputColumns } from "../parameters.ts";
import { tableOf } from "../tables.ts";
import { bodyExample, recordExample } from "./examples.ts";

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
