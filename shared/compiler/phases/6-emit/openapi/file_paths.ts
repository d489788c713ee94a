/** The routes of files as operation objects (contract 4.7). */
import {
  fileCodesOf,
  type FileOperation,
  fileOperationsOf,
  fileParametersOf,
} from "../../../../surface/file_operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { DELETED } from "../../../../surface/schema/envelopes.ts";
import { tableOf } from "../../../../surface/tables.ts";
import { whoMayAsk } from "../../../../surface/who.ts";
import { securityOf } from "./component_names.ts";
import { headerParameter, idParameter, sharedParameters } from "./parameters.ts";
import { type PathEntry, templated } from "./path_entry.ts";
import * as schemas from "./resource_schemas.ts";
import * as responses from "./responses.ts";

export function filePathEntries(context: schemas.Describing): readonly PathEntry[] {
  return fileOperationsOf(context.project).map((operation) => ({
    path: templated(operation.path),
    method: operation.method,
    operation: operationObject(operation, context),
  }));
}

function operationObject(operation: FileOperation, context: schemas.Describing): JsonSchema {
  const { project, components } = context;
  const { id, method, access, resource, column } = operation;
  return {
    operationId: id,
    tags: [resource.name],
    summary: SUMMARIES[operation.act](column.name, resource.name),
    description: descriptionOf(operation),
    security: securityOf(project, { who: whoMayAsk(access), access }),
    parameters: [
      idParameter(resource, context),
      ...sharedParameters(fileParametersOf(operation, project), operation, context),
      ...headersOf(operation, context),
    ],
    ...(operation.act === "writeFile" ? { requestBody: bodyOf(operation) } : {}),
    responses: {
      ...successesOf(operation, context),
      ...responses.refusalResponses(fileCodesOf(operation, project), { method }, components),
    },
  };
}

const SUMMARIES: Readonly<
  Record<FileOperation["act"], (column: string, resource: string) => string>
> = {
  readFile: (column, resource) => `Read the file \`${column}\` of one of \`${resource}\``,
  writeFile: (column, resource) => `Send the file \`${column}\` of one of \`${resource}\``,
  removeFile: (column, resource) => `Remove the file \`${column}\` of one of \`${resource}\``,
};

function descriptionOf({ act, column: { type } }: FileOperation): string {
  switch (act) {
    case "readFile":
      return "Answers with the bytes of the file, or with one range of them. Its digest is its entity tag.";
    case "writeFile":
      return `Takes the file as the body, or as the one part of a form, at most ${type.maxSize} bytes; its name is that of ` +
        "`Content-Disposition` or of the part. Takes the place of a former file. Answers with the record.";
    case "removeFile":
      return "The record has no file there afterwards, whether it had one or not.";
  }
}

/** Of any type; an example says no more than that. */
const BYTES: JsonSchema = {
  type: "string",
  description: "The bytes of the file.",
  contentMediaType: "application/octet-stream",
};

const CONTENT = { schema: BYTES, examples: { sample: { value: "the bytes of the file" } } };

/** Media types of the file. */
function contentOf({ column: { type: { types } } }: FileOperation): JsonSchema {
  return Object.fromEntries((types ?? ["*/*"]).map((type) => [type, CONTENT]));
}

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
      ...contentOf(operation),
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
  return [
    ...(tableOf(resource, project).revision === null ? [] : [refer("IfMatch")]),
    ...(act === "writeFile" ? [refer("ContentDisposition")] : []),
  ];
}

function successesOf(operation: FileOperation, context: schemas.Describing): JsonSchema {
  const { project, components } = context;
  const { act, resource, method } = operation;
  const headers = (more: responses.SentHeaders = {}) =>
    responses.answerHeaders(components, { ...more, ...responses.writeHeaders(method, false) });
  const content = { "*/*": CONTENT };
  switch (act) {
    case "readFile": {
      const whole = { ETag: "FileTag", "Accept-Ranges": "AcceptRanges" } as const;
      return {
        "200": { description: "The file.", headers: headers(whole), content },
        "206": {
          description: "The range of the file.",
          headers: headers({ ...whole, "Content-Range": "ContentRange" }),
          content,
        },
        "304": { description: "The caller holds the file.", headers: headers({ ETag: "FileTag" }) },
      };
    }
    case "writeFile": {
      const isCounted = tableOf(resource, project).revision !== null;
      return {
        "200": {
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
          content: responses.jsonContent(components.refer("schemas", "Deleted", () => DELETED)),
        },
      };
  }
}
