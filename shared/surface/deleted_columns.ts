/**
 * Columns that a batch delete answers of each record (contract 4.1): its stamps, or its id alone when the record is gone for
 * good.
 */
import { SOFT_DELETE_FIELDS } from "../contract/fields.ts";
import type { ResourceModel } from "../model/resource.ts";
import type { TableModel } from "../model/table.ts";

export function deletedColumns(resource: ResourceModel, table: TableModel): readonly string[] {
  const isSoft = resource.delete?.mode === "soft";
  return [table.primaryKey, ...(isSoft ? SOFT_DELETE_FIELDS : [])];
}
