/** The routes of resources as operation objects (contract 4.1–4.3). */
import { MERGE_PATCH_MEDIA_TYPE } from "../../../../contract/headers.ts";
import type { Access } from "../../../../model/access.ts";
import type { ProjectModel } from "../../../../model/project.ts";
import { rolesNamedBy } from "../../../../surface/admission.ts";
import { embeddablesOf } from "../../../../surface/embeddables.ts";
import { type Operation, operationsOf } from "../../../../surface/operations.ts";
import { type JsonSchema, outputColumns } from "../../../../surface/parameters.ts";
import { outcomesOf } from "../../../../surface/responses.ts";
import {
  aggregationsExample,
  batchExample,
  pageExample,
  recordExample,
  requestExample,
} from "../../../../surface/schema/examples.ts";
import { tableOf } from "../../../../surface/tables.ts";
import { whoMayAsk } from "../../../../surface/who.ts";
import {
  batchName,
  bodyName,
  COMMON_HEADERS,
  isBodyKind,
  pageName,
  readName,
  recordName,
  schemaRef,
  securityOf,
} from "./component_names.ts";
import { answerHeaders } from "./answer_headers.ts";
import {
  headerParameters,
  idParameter,
  notModifiedResponses,
  queryParameters,
  taggedHeaders,
} from "./parameters.ts";
import { jsonContent, type PathEntry, refusalResponses, templated } from "./path_entry.ts";

export function operationPathEntries(project: ProjectModel): readonly PathEntry[] {
  return operationsOf(project).map((operation) => ({
    path: templated(operation.path),
    method: operation.method,
    operation: operationObject(operation, project),
  }));
}

function operationObject(operation: Operation, project: ProjectModel): JsonSchema {
  const parameters = [
    ...idParameters(operation, project),
    ...queryParameters(operation, project),
    ...headerParameters(operation, project),
  ];
  const { success, refusals } = outcomesOf(operation, project);
  const statuses = success.statuses.map((status) => [
    String(status),
    successResponse(operation, project, status),
  ]);
  return {
    operationId: operation.id,
    tags: [operation.resource.name],
    summary: summaryOf(operation),
    description: descriptionOf(operation),
    security: securityOf(project, { who: whoMayAsk(operation.access), access: operation.access }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(operation, project),
    responses: {
      ...Object.fromEntries(statuses),
      ...notModifiedResponses(operation, project),
      ...refusalResponses([...refusals.values()].flat(), operation.method),
    },
  };
}

function summaryOf({ kind, resource: { name }, view }: Operation): string {
  switch (kind) {
    case "list":
      return `List ${name}`;
    case "view":
      return `List ${name} in the view ${view?.name}`;
    case "get":
      return `Read one of ${name}`;
    case "create":
      return `Create one of ${name}`;
    case "update":
      return `Update one of ${name}`;
    case "delete":
      return `Delete one of ${name}`;
    case "upsert":
      return `Create or replace one of ${name}`;
    case "batchCreate":
      return `Create several of ${name}`;
    case "batchUpdate":
      return `Update several of ${name}`;
    case "batchDelete":
      return `Delete several of ${name}`;
    case "batchUpsert":
      return `Create or replace several of ${name}`;
  }
}

function descriptionOf(operation: Operation): string {
  const details: Readonly<Record<Operation["kind"], string>> = {
    list: operation.view
      ? `Answers with the default view \`${operation.view.name}\`.`
      : "Answers with a page of records.",
    view: "Answers with a page of records that hold only the view's fields.",
    get: "Answers with the bare record.",
    create: "Answers with the created record.",
    update:
      "Fields that the body leaves out stay as they are; null clears a nullable field. As `application/merge-patch+json` an object in a JSON field is merged into what is stored (RFC 7396); as `application/json` it takes its place.",
    delete: operation.resource.delete?.mode === "soft"
      ? "The record and its children are kept, marked as deleted and seen no more."
      : "The record is removed for good.",
    upsert:
      "Answers 201 when there was no such record. Fields that the body leaves out return to their default or null.",
    batchCreate: `${BATCH_TEXT} All go in by one insert.`,
    batchUpdate: BATCH_TEXT,
    batchDelete: BATCH_TEXT,
    batchUpsert: `${BATCH_TEXT} 201 when all were created.`,
  };
  return `${details[operation.kind]} ${admissionText(operation.access)}`;
}

const BATCH_TEXT =
  "Each record is written or refused by itself: 207 when some were refused. With `options.failFast` the first refusal ends the request and undoes it.";

function admissionText(access: Access): string {
  const roles = rolesNamedBy(access);
  if (roles.length === 0) return "Admits nobody by role.";
  const admitted = `Admits ${roles.map((role) => `\`${role}\``).join(", ")}`;
  return dependsOnRecord(access) ? `${admitted}, depending on the record.` : `${admitted}.`;
}

function dependsOnRecord(access: Access): boolean {
  return access.kind === "record" ||
    ((access.kind === "all" || access.kind === "any") && access.of.some(dependsOnRecord));
}

function idParameters(operation: Operation, project: ProjectModel): readonly JsonSchema[] {
  if (!operation.path.includes(":id")) return [];
  return [idParameter(operation.resource, project, { isChosen: operation.kind === "upsert" })];
}

function requestBody(operation: Operation, project: ProjectModel): JsonSchema {
  const { kind } = operation;
  const example = requestExample(operation, project);
  if (example === null || !isBodyKind(kind)) return {};
  const schema = schemaRef(bodyName(kind, operation));
  const content = jsonContent(schema, example);
  const patch = kind === "update" ? jsonContent(schema, example, MERGE_PATCH_MEDIA_TYPE) : {};
  return { requestBody: { required: true, content: { ...content, ...patch } } };
}

function successResponse(
  operation: Operation,
  project: ProjectModel,
  status: number,
): JsonSchema {
  const headers = {
    ...taggedHeaders(operation, project),
    ...answerHeaders(operation, status),
  };
  const { resource, view } = operation;
  const table = tableOf(resource, project);
  const columns = outputColumns(operation, table);
  const record = recordExample(resource, columns, project);
  const isIncluding = operation.kind === "get" && embeddablesOf(operation, project).length > 0;
  switch (outcomesOf(operation, project).success.body) {
    case "page":
      return {
        description: "A page of records.",
        headers,
        content: jsonContent(
          schemaRef(pageName(operation)),
          pageExample(record, {
            view: view?.name ?? null,
            aggregations: aggregationsExample(view?.aggregations ?? [], table, project),
          }),
        ),
      };
    case "record":
      return {
        description: "The record.",
        headers,
        content: jsonContent(
          schemaRef(isIncluding ? readName(operation) : recordName(operation)),
          record,
        ),
      };
    case "deleted":
      return {
        description: "The record is deleted.",
        headers: COMMON_HEADERS,
        content: jsonContent(schemaRef("Deleted"), { success: true }),
      };
    case "batch":
    case "batchDeleted":
      return {
        description: "What was written, and what was refused.",
        headers: COMMON_HEADERS,
        content: jsonContent(
          schemaRef(batchName(operation.kind === "batchDelete" ? "id" : "record", operation)),
          batchExample(operation, project),
        ),
      };
  }
}
