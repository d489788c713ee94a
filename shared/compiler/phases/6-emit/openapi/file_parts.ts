/** Builds parts of the descriptions of file routes (contract 4.7). */
import { isTypeAccepted } from "../../../../contract/mod.ts";
import { BYTES, DELETED, FILE_ANSWERS, FILE_PARAMETER } from "../../../../surface/mod.ts";
import {
  FILE_WRITES,
  fileCodesOf,
  type FileOperation,
  updateHooks,
} from "../../../../surface/mod.ts";
import { hookRefusal } from "./responses.ts";
import { fileParametersOf, type JsonSchema, presignBodies } from "../../../../surface/mod.ts";
import { PRESIGNED, type PresignedMethod, presignedMethodsOf } from "../../../../surface/mod.ts";
import { tableOf, uploadBody, zodJson } from "../../../../surface/mod.ts";
import { headerParameter, idParameter, sharedParameters } from "./parameters.ts";
import { answerObjects, type RouteParts } from "./route_object.ts";
import * as schemas from "./resource_schemas.ts";
import * as responses from "./responses.ts";

export function fileParts(operation: FileOperation, context: schemas.Describing): RouteParts {
  const { access, resource, column, act } = operation;
  return {
    summary: SUMMARIES[act](column.name, resource.name),
    description: descriptionOf(operation),
    access,
    parameters: [
      idParameter(resource, context),
      ...(operation.path.endsWith(FILE_PARAMETER) ? [FILE_ID] : []),
      ...sharedParameters(fileParametersOf(operation, context.project), operation, context),
      ...headersOf(operation, context),
    ],
    requestBody: requestBody(operation, context),
    answers: successesOf(operation, context),
    codes: fileCodesOf(operation, context.project),
    ...(!FILE_WRITES.has(operation.act) ||
        updateHooks(operation.resource.table, context.project) === null
      ? {}
      : {
        isAction: true,
        rest: () => ({ default: hookRefusal(context.components, operation) }),
      }),
  };
}

function requestBody(operation: FileOperation, context: schemas.Describing): JsonSchema | null {
  switch (operation.act) {
    case "writeFile":
    case "addFile":
      return bodyOf(operation);
    case "presignFile":
      return presignBodyOf(operation, context);
    default:
      return null;
  }
}

const SUMMARIES: Readonly<
  Record<FileOperation["act"], (column: string, resource: string) => string>
> = {
  readFile: (column, resource) => `Read the file \`${column}\` of one of \`${resource}\``,
  writeFile: (column, resource) => `Send the file \`${column}\` of one of \`${resource}\``,
  addFile: (column, resource) => `Send one more file \`${column}\` of one of \`${resource}\``,
  removeFile: (column, resource) => `Remove the file \`${column}\` of one of \`${resource}\``,
  presignFile: (column, resource) =>
    `Get an address for the file \`${column}\` of one of \`${resource}\``,
};

function descriptionOf({ act, column: { type } }: FileOperation): string {
  const taken =
    `Takes the file as the body, or as the one part of a form, at most ${type.maxSize} bytes; its name is that of ` +
    "`Content-Disposition` or of the part.";
  const confirming =
    "`{ upload }` as JSON confirms what was sent to an address. Answers with the record.";
  switch (act) {
    case "readFile":
      return "Answers with the bytes of the file, or with one range of them. Its digest is its entity tag.";
    case "addFile":
      return `${taken} There may be ${type.maxItems} of them. ${confirming}`;
    case "writeFile":
      return `${taken} Takes the place of ${
        type.maxItems === undefined ? "a former file" : "all files that are there"
      }. ${confirming}`;
    case "removeFile":
      return type.maxItems === undefined
        ? "The record has no file there afterwards, whether it had one or not."
        : "The record has no such file afterwards, whether it had one or not.";
    case "presignFile":
      return "Whoever has the address may read the file, or send one, until its time is over. What was sent there becomes the " +
        "record's file when it is confirmed.";
  }
}

const FILE_ID: JsonSchema = {
  name: "fileId",
  in: "path",
  required: true,
  description: "Id of the file, as the record says it.",
  schema: { type: "string", minLength: 1 },
};

const CONTENT = { schema: BYTES, examples: { sample: { value: "the bytes of the file" } } };

/** Returns the media type of the body that confirms an upload. A column that accepts JSON files has this body beside them. */
function confirmationOf({ column: { type: { types } } }: FileOperation): JsonSchema {
  if (isTypeAccepted("application/json", types)) return {};
  const schema = zodJson(uploadBody, "input");
  return responses.jsonContent(schema, { example: { upload: "<upload>" } });
}

/**
 * Returns the name of the schema. A column decides the files that may be sent; the read of one of several files names the file.
 */
function presignSchema(method: PresignedMethod, { id, column }: FileOperation): string {
  if (method === "PUT") return `${id.replace("presignFile", "")}UploadAddress`;
  return column.type.maxItems === undefined ? "FileReadAddress" : "FileOfListReadAddress";
}

function presignBodyOf(
  operation: FileOperation,
  { components }: schemas.Describing,
): JsonSchema {
  const { column: { type }, resource } = operation;
  const methods = presignedMethodsOf(resource);
  const [media = "application/octet-stream"] = type.types ?? [];
  const example = methods.includes("PUT")
    ? { method: "PUT", size: 4, type: media.replace("*", "example") }
    : { method: "GET", ...(type.maxItems === undefined ? {} : { id: "<file_id>" }) };
  const bodies = methods.map((method) => {
    const schema = () => zodJson(presignBodies(type)[method], "input");
    return [method, components.refer("schemas", presignSchema(method, operation), schema)] as const;
  });
  const [[, only] = ["GET", {}]] = bodies;
  const mapping = Object.fromEntries(bodies.map(([method, { $ref }]) => [method, $ref]));
  const either = {
    oneOf: bodies.map(([, body]) => body),
    discriminator: { propertyName: "method", mapping },
  };
  const schema = bodies.length === 1 ? only : either;
  return { required: true, content: responses.jsonContent(schema, { example }) };
}

const ADDRESS_EXAMPLE = {
  url: "https://api.example.com/files/eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmVk",
  method: "PUT",
  headers: { "content-type": "image/png" },
  expiresAt: "2026-01-31T10:40:30.000Z",
  upload: "<upload>",
};

const CONTENT_OF_FORM = { examples: { sample: { value: { file: "the bytes of the file" } } } };

function bodyOf(operation: FileOperation): JsonSchema {
  const form = {
    type: "object",
    description: "One part with a file name, whatever its field is called.",
    properties: { file: BYTES },
    required: ["file"],
  };
  return {
    required: true,
    content: {
      ...Object.fromEntries(
        (operation.column.type.types ?? ["*/*"]).map((type) => [type, CONTENT]),
      ),
      ...confirmationOf(operation),
      "multipart/form-data": { ...CONTENT_OF_FORM, schema: form },
    },
  };
}

function headersOf(
  { act, resource }: FileOperation,
  { project, components }: schemas.Describing,
): readonly JsonSchema[] {
  const refer = (name: Parameters<typeof headerParameter>[0]) => headerParameter(name, components);
  if (act === "readFile") return [refer("IfNoneMatch"), refer("Range"), refer("IfRange")];
  const isWrite = act !== "presignFile" || presignedMethodsOf(resource).includes("PUT");
  return [
    ...(!isWrite || tableOf(resource, project).revision === null ? [] : [refer("IfMatch")]),
    ...(act === "writeFile" || act === "addFile" ? [refer("ContentDisposition")] : []),
  ];
}

function successesOf(operation: FileOperation, context: schemas.Describing): JsonSchema {
  const { project, components } = context;
  const { act, resource, method } = operation;
  const headers = (more: responses.SentHeaders = {}) =>
    responses.answerHeaders(components, { ...more, ...responses.writeHeaders(method, false) });
  switch (act) {
    case "readFile":
      return answerObjects(FILE_ANSWERS, { method, keyed: false, writes: false }, components);
    case "presignFile":
      return {
        "200": {
          description: "The address.",
          headers: headers(),
          content: responses.jsonContent(
            components.refer("schemas", "FileAddress", () => PRESIGNED),
            { example: ADDRESS_EXAMPLE },
          ),
        },
      };
    case "addFile":
    case "writeFile": {
      const isCounted = tableOf(resource, project).revision !== null;
      return {
        [act === "addFile" ? "201" : "200"]: {
          description: "The record.",
          headers: headers(isCounted ? { ETag: "ETag" } : {}),
          content: responses.jsonContent(schemas.recordRef(operation, context)),
        },
      };
    }
    case "removeFile":
      return {
        "200": {
          description: "There is no file.",
          headers: headers(),
          content: responses.jsonContent(components.refer("schemas", "Deleted", () => DELETED), {
            example: { success: true },
          }),
        },
      };
  }
}
