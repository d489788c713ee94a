/**
 * The routes of files (contract 4.7, definitions 3): the one list behind the router, OpenAPI and the manifests. Reading the file of
 * a column is a read of its record, sending or removing one an update: the same rules at another address.
 */
import { fileOf, type FileType } from "../column_types/mod.ts";
import type { RuntimeCode } from "../contract/codes.ts";
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ColumnModel, ProjectModel, ResourceModel, TableModel } from "../model/mod.ts";
import { isPublic } from "./admission.ts";
import { RECEIVING_CODES } from "./codes.ts";
import { RESTORE_SEGMENT } from "./grants.ts";
import { pascalCase } from "./names.ts";
import type { Operation } from "./operations.ts";
import { DOWNLOAD, type Parameter, publicScope } from "./parameters.ts";
import { codesOf } from "./responses.ts";
import { tableOf } from "./tables.ts";
import { refusalOf } from "./writable.ts";

export type FileAct = "readFile" | "writeFile" | "removeFile";

export interface FileColumn extends ColumnModel {
  readonly type: FileType;
}

/** `kind` is the operation on the record whose rules it follows. */
export interface FileOperation extends Operation {
  readonly act: FileAct;
  readonly column: FileColumn;
}

/** Last segments that belong to other routes of a record, now or later. */
export const RESERVED_FILE_SEGMENTS: readonly string[] = [
  "batch",
  "history",
  "presign",
  RESTORE_SEGMENT,
  "views",
];

export function isFileColumn(column: ColumnModel): column is FileColumn {
  return fileOf(column.type) !== null;
}

/** Resources in model order, each one's columns in table order. */
export function fileOperationsOf(project: ProjectModel): readonly FileOperation[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.resources.flatMap((resource) =>
    tableOf(resource, project).columns.filter(isFileColumn).flatMap((column) =>
      ofColumn(column, resource, `${base}/${resource.segment}/:id/${column.name}`)
    )
  );
}

function ofColumn(column: FileColumn, resource: ResourceModel, path: string): FileOperation[] {
  const { read, update } = resource;
  const name = `${pascalCase(resource.name)}_${pascalCase(column.name)}`;
  const common = { path, resource, column, view: null, batch: null };
  const reading: FileOperation[] = read === null ? [] : [{
    ...common,
    id: `readFile${name}`,
    act: "readFile",
    kind: "get",
    method: "GET",
    access: read.access,
    grant: { resource: resource.name, verbs: ["read"] },
    rate: "read",
  }];
  // Where an action stands for the update, writing a file would go round it.
  if (update === null || update.action !== null) return reading;
  const writing = {
    ...common,
    kind: "update",
    access: update.access,
    grant: { resource: resource.name, verbs: ["update"] },
    rate: "update",
  } as const;
  return [
    ...reading,
    { ...writing, id: `writeFile${name}`, act: "writeFile", method: "PUT" },
    { ...writing, id: `removeFile${name}`, act: "removeFile", method: "DELETE" },
  ];
}

export function fileParametersOf(
  operation: FileOperation,
  project: ProjectModel,
): readonly Parameter[] {
  const scope = publicScope(operation, tableOf(operation.resource, project));
  return operation.act === "readFile" ? [...scope, DOWNLOAD] : scope;
}

/**
 * The code that keeps a file from being written or removed; null: it may be. Until there is one, the right to create the
 * field is enough, as a create cannot carry it.
 */
export function fileRefusalOf(
  { column, resource }: Pick<FileOperation, "column" | "resource">,
  table: TableModel,
  isEmpty: boolean,
): RuntimeCode | null {
  const refusal = refusalOf("update", column.name, resource, table);
  if (refusal === null || !isEmpty) return refusal;
  return refusalOf("create", column.name, resource, table) === null ? null : refusal;
}

/** Files are no JSON, and no write of one is kept for a key. */
const NOT_OF_FILES: readonly RuntimeCode[] = [
  "INVALID_JSON",
  "DB_NOT_NULL_VIOLATION",
  "DB_UNIQUE_VIOLATION",
  "DB_REFERENCE_VIOLATION",
  "IDEMPOTENCY_KEY_IN_FLIGHT",
  "IDEMPOTENCY_KEY_REUSED",
  ...RECEIVING_CODES,
  "UNSUPPORTED_MEDIA_TYPE",
  "VALIDATION_ERROR",
];

/** Every code that an operation on a file may be refused with. */
export function fileCodesOf(
  operation: FileOperation,
  project: ProjectModel,
): readonly RuntimeCode[] {
  const { act, resource, column } = operation;
  const table = tableOf(resource, project);
  const record = codesOf({ ...operation, path: operation.path.replace(/\/[^/]+$/, "") }, project);
  const common = record.filter((code) => !NOT_OF_FILES.includes(code));
  const isMasked = Object.hasOwn(resource.masks, column.name);
  switch (act) {
    case "readFile":
      return [
        ...common,
        "FILE_NOT_FOUND",
        "RANGE_NOT_SATISFIABLE",
        "STORAGE_UNAVAILABLE",
        ...(isMasked ? ["FIELD_MASKED" as const] : []),
      ];
    case "writeFile":
      return [
        ...common,
        ...RECEIVING_CODES,
        "UNSUPPORTED_MEDIA_TYPE",
        "VALIDATION_ERROR",
        "STORAGE_FULL",
        "STORAGE_UNAVAILABLE",
      ];
    case "removeFile":
      return common.filter((code) => code !== "PRECONDITION_FAILED" || table.revision !== null);
  }
}

/** True when anybody may keep the answer for a while: everyone may read the column. */
export function isPublicFile({ access, resource, column }: FileOperation): boolean {
  return isPublic(access) && !Object.hasOwn(resource.masks, column.name);
}
