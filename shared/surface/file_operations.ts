/**
 * Lists the routes of files for the router, OpenAPI and the manifests (contract 4.7, definitions 3). Reading the file of a
 * column is a read of its record, sending or removing one an update: the same rules apply at another address.
 */
import { fileOf, type FileType } from "../column_types/mod.ts";
import { CONTRACT_VERSIONS, type JsonSchema, type RuntimeCode } from "../contract/mod.ts";
import type { ColumnModel, ProjectModel, ResourceModel, TableModel } from "../model/mod.ts";
import { anyOf, hasFiles } from "../model/mod.ts";
import { isPublic } from "./admission.ts";
import { JSON_BODY_CODES, RECEIVING_CODES } from "./codes.ts";
import { RESTORE_SEGMENT } from "./grants.ts";
import { pascalCase } from "./names.ts";
import { type Operation, recordRoute } from "./operations.ts";
import { DOWNLOAD, publicScope } from "./parameters.ts";
import type { Parameter } from "./parameter.ts";
import { codesOf } from "./responses.ts";
import { closed } from "./schema/json_schema.ts";
import { answer, bodyOf, emptyAnswer, ok, type SystemRoute, systemRoute } from "./system_route.ts";
import { tableOf } from "./tables.ts";
import { refusalOf } from "./writable.ts";

export type FileAct = "readFile" | "addFile" | "writeFile" | "removeFile" | "presignFile";

/** Method of a presigned address. */
export type PresignedMethod = "GET" | "PUT";

export interface FileColumn extends ColumnModel {
  readonly type: FileType;
}

/** A route of a file; `kind` is the operation on the record whose rules it follows. */
export interface FileOperation extends Operation {
  readonly act: FileAct;
  readonly column: FileColumn;
}

/** Parameter that identifies one file of a column with several. */
export const FILE_PARAMETER = ":fileId";

/** Last segment of the route that returns presigned addresses for a file. */
export const PRESIGN_SEGMENT = "presign";

/** Path of a presigned address: its holder needs no other credentials. */
export const FILE_ADDRESS_PATH = "/files/:id";

/** Last segments that belong to other routes of a record, now or later. */
export const RESERVED_FILE_SEGMENTS: readonly string[] = [
  "batch",
  "history",
  PRESIGN_SEGMENT,
  RESTORE_SEGMENT,
  "views",
];

export function isFileColumn(column: ColumnModel): column is FileColumn {
  return fileOf(column.type) !== null;
}

/** Returns the operations: resources in model order, each one's columns in table order. */
export function fileOperationsOf(project: ProjectModel): readonly FileOperation[] {
  const base = CONTRACT_VERSIONS[project.contract].apiBase;
  return project.resources.flatMap((resource) =>
    tableOf(resource, project).columns.filter(isFileColumn).flatMap((column) =>
      ofColumn(column, resource, `${base}/${resource.segment}/:id/${column.name}`)
    )
  );
}

function ofColumn(column: FileColumn, resource: ResourceModel, path: string): FileOperation[] {
  const name = `${pascalCase(resource.name)}_${pascalCase(column.name)}`;
  const { GET: reading, PUT: writing } = fileRulesOf(resource);
  const either = [reading, writing].filter((rule) => rule !== null);
  const [first, ...others] = either;
  if (first === undefined) return [];
  const isList = column.type.maxItems !== undefined;
  const one = isList ? `${path}/${FILE_PARAMETER}` : path;
  const made = (act: FileAct, method: Operation["method"], path: string, rule: FileRule) => ({
    ...recordRoute({ ...rule, id: `${act}${name}`, method, path }, resource),
    ...{ act, column, listedAs: act, keyed: false },
  });
  return [
    ...(reading === null ? [] : [made("readFile", "GET", one, reading)]),
    ...(writing !== null && isList ? [made("addFile", "POST", path, writing)] : []),
    ...(writing === null ? [] : [
      made("writeFile", "PUT", path, writing),
      made("removeFile", "DELETE", one, writing),
    ]),
    made("presignFile", "POST", `${path}/${PRESIGN_SEGMENT}`, {
      ...first,
      access: others.length === 0 ? first.access : anyOf(...either.map(({ access }) => access)),
    }),
  ];
}

type FileRule = Pick<FileOperation, "kind" | "access" | "grant" | "rate">;

/**
 * Returns the rules of a resource's files. A read follows those of reading its record, a write those of its update; null: there
 * is no such operation.
 */
export function fileRulesOf(
  { name, read, update }: Pick<ResourceModel, "name" | "read" | "update">,
): Readonly<Record<PresignedMethod, FileRule | null>> {
  return {
    GET: read && {
      kind: "get",
      access: read.access,
      grant: { resource: name, verbs: ["read"] },
      rate: "read",
    },
    // If an action runs the update, writing a file would bypass it.
    PUT: update === null || update.action !== null ? null : {
      kind: "update",
      access: update.access,
      grant: { resource: name, verbs: ["update"] },
      rate: "update",
    },
  };
}

/** Returns the methods for which the record's resource offers presigned addresses. */
export function presignedMethodsOf(
  resource: Pick<ResourceModel, "name" | "read" | "update">,
): readonly PresignedMethod[] {
  const rules = fileRulesOf(resource);
  return (["GET", "PUT"] as const).filter((method) => rules[method] !== null);
}

export function fileParametersOf(
  operation: FileOperation,
  project: ProjectModel,
): readonly Parameter[] {
  const scope = publicScope(operation, tableOf(operation.resource, project));
  return operation.act === "readFile" ? [...scope, DOWNLOAD] : scope;
}

/**
 * Returns the code that refuses to write or remove a file; null: it is allowed. The first file needs only the right to create
 * the field, because a create cannot contain it.
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

/** Codes that file routes never have: files are no JSON, and no write of one is stored under an idempotency key. */
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

/** Returns every code with which an operation on a file may be refused. */
export function fileCodesOf(
  operation: FileOperation,
  project: ProjectModel,
): readonly RuntimeCode[] {
  const { act, resource, column } = operation;
  const table = tableOf(resource, project);
  const codesAt = (route: Operation) => {
    const path = operation.path.replace(/:id\/.*$/, ":id");
    return codesOf({ ...route, path }, project)
      .filter((code) => !NOT_OF_FILES.includes(code));
  };
  const read: readonly RuntimeCode[] = [
    "FILE_NOT_FOUND",
    ...(Object.hasOwn(resource.masks, column.name) ? ["FIELD_MASKED" as const] : []),
  ];
  switch (act) {
    case "readFile":
      return [...codesAt(operation), ...read, "RANGE_NOT_SATISFIABLE", "STORAGE_UNAVAILABLE"];
    case "addFile":
    case "writeFile":
      return [
        ...codesAt({ ...operation, method: "PUT" }),
        ...JSON_BODY_CODES,
        ...STORED_CODES,
      ];
    case "removeFile":
      return codesAt(operation)
        .filter((code) => code !== "PRECONDITION_FAILED" || table.revision !== null);
    case "presignFile": {
      const { GET: reading, PUT: writing } = fileRulesOf(resource);
      const codes = [
        ...JSON_BODY_CODES,
        ...(reading === null
          ? []
          : ["VALIDATION_ERROR" as const, ...codesAt(fileRouteBy(operation, reading)), ...read]),
        ...(writing === null
          ? []
          : [...codesAt({ ...fileRouteBy(operation, writing), method: "PUT" }), ...STORED_CODES]),
      ];
      return [...new Set(codes)];
    }
  }
}

const STORED_CODES: readonly RuntimeCode[] = [
  "VALIDATION_ERROR",
  "STORAGE_FULL",
  "STORAGE_UNAVAILABLE",
];

/**
 * Returns the routes at the API's own addresses for a file's bytes, if the store has none; empty for a project without files.
 */
export function fileAddressOperationsOf(
  project: ProjectModel,
): readonly SystemRoute<PresignedMethod>[] {
  if (!hasFiles(project)) return [];
  const common = {
    path: FILE_ADDRESS_PATH,
    description: "The address was given by `presign`, and needs no other credentials.",
    who: "unasked",
    open: "whoever has an address",
    parameters: [ADDRESS],
    miss: "FILE_NOT_FOUND",
  } as const;
  const codes = ["FILE_NOT_FOUND", "STORAGE_UNAVAILABLE"] as const;
  return [
    systemRoute<PresignedMethod>({
      ...common,
      id: "serviceReadFileAddress",
      kind: "GET",
      method: "GET",
      summary: "Read the file of an address",
      headers: ["IfNoneMatch", "Range", "IfRange"],
      answers: FILE_ANSWERS,
      codes: [...codes, "RANGE_NOT_SATISFIABLE"],
    }),
    systemRoute<PresignedMethod>({
      ...common,
      id: "serviceWriteFileAddress",
      kind: "PUT",
      method: "PUT",
      summary: "Send a file to an address",
      writes: false,
      body: bodyOf(BYTES, "the bytes of the file", { mediaType: "*/*" }),
      answers: ok(
        closed({ success: { const: true, description: "All bytes were taken." } }),
        { success: true },
        { description: "The file is there." },
      ),
      codes: [
        ...codes,
        ...RECEIVING_CODES,
        "UNSUPPORTED_MEDIA_TYPE",
        "VALIDATION_ERROR",
        "STORAGE_FULL",
      ],
    }),
  ];
}

const ADDRESS: JsonSchema = {
  name: "id",
  in: "path",
  required: true,
  description: "The signed address, as it was given.",
  schema: { type: "string", minLength: 1 },
};

/** Schema of bytes of any type, for which no example is useful. */
export const BYTES: JsonSchema = {
  type: "string",
  description: "The bytes of the file.",
  contentMediaType: "application/octet-stream",
};

/** Responses with a file: the whole file, one range of it, or no body if the caller has it. */
export const FILE_ANSWERS: SystemRoute["answers"] = {
  200: answer(BYTES, "the bytes of the file", {
    mediaType: "*/*",
    description: "The file.",
    headers: { ETag: "FileTag", "Accept-Ranges": "AcceptRanges" },
  }),
  206: answer(BYTES, "the bytes of the file", {
    mediaType: "*/*",
    description: "The range of the file.",
    headers: { ETag: "FileTag", "Accept-Ranges": "AcceptRanges", "Content-Range": "ContentRange" },
  }),
  304: emptyAnswer("The caller holds the file.", { ETag: "FileTag" }),
};

/** Returns the same route under another rule of its record. */
export function fileRouteBy(operation: FileOperation, rule: FileRule): FileOperation {
  const { id, method, path, resource } = operation;
  const ruled = recordRoute({ ...rule, id, method, path }, resource);
  return { ...operation, ...ruled, listedAs: operation.listedAs, keyed: false };
}

/** True when the response may be cached publicly, because everyone may read the column. */
export function isPublicFile({ access, resource, column }: FileOperation): boolean {
  return isPublic(access) && !Object.hasOwn(resource.masks, column.name);
}
