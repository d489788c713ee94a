/** Builds parts of the descriptions of routes on records (contract 4.1–4.3). */
import { MERGE_PATCH_MEDIA_TYPE } from "../../../../contract/mod.ts";
import type { Access, DeleteModel } from "../../../../model/mod.ts";
import type { JsonSchema, Operation } from "../../../../surface/mod.ts";
import {
  codesOf,
  DELETED,
  dependsOnRecord,
  hooksAround,
  isTagged,
} from "../../../../surface/mod.ts";
import { rolesNamedBy, successOf } from "../../../../surface/mod.ts";
import { batchName, isBodyKind } from "./component_names.ts";
import { headerParameters, idParameter, queryParameters } from "./parameters.ts";
import type { RouteParts } from "./route_object.ts";
import * as schemas from "./resource_schemas.ts";
import * as responses from "./responses.ts";

export function recordParts(operation: Operation, context: schemas.Describing): RouteParts {
  const { project, components } = context;
  const { access, grant } = operation;
  const parameters = [
    ...!operation.path.includes(":id")
      ? []
      : [idParameter(operation.resource, context, { isChosen: operation.kind === "upsert" })],
    ...queryParameters(operation, context),
    ...headerParameters(operation, context),
  ];
  const statuses = successOf(operation).statuses.map((status) => [
    String(status),
    successResponse(operation, status, context),
  ]);
  return {
    summary: summaryOf(operation),
    description: descriptionOf(operation),
    access,
    grant,
    parameters,
    requestBody: requestBody(operation, context),
    answers: {
      ...Object.fromEntries(statuses),
      // Adds the 304 of a read that supports conditional requests.
      ...operation.method !== "GET" || !isTagged(operation, project) ? {} : {
        "304": components.refer("responses", "NotModified", () => ({
          description: "The caller holds the answer already.",
          headers: responses.answerHeaders(components, { ETag: "ETag" }),
        })),
      },
    },
    codes: codesOf(operation, project),
    ...(operation.batch !== null || hooksAround(operation, project) === null ? {} : {
      isAction: true,
      rest: () => ({ default: responses.hookRefusal(components, operation) }),
    }),
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
    case "history":
      return `Read the history of one of ${name}`;
    case "create":
      return `Create one of ${name}`;
    case "update":
      return `Update one of ${name}`;
    case "delete":
      return `Delete one of ${name}`;
    case "upsert":
      return `Create or replace one of ${name}`;
    case "restore":
      return `Restore one of ${name}`;
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
    history:
      "Answers with a page of the record's changes, newest first: who made them, and the fields whose values differ for the caller, before and after. A deleted record's history stays.",
    create: "Answers with the created record.",
    update:
      "Fields that the body leaves out stay as they are; null clears a nullable field. As `application/merge-patch+json` an object in a JSON field is merged into what is stored (RFC 7396); as `application/json` it takes its place.",
    delete: deletionText(operation.resource.delete),
    upsert:
      "Answers 201 when there was no such record. Fields that the body leaves out return to their default or null.",
    restore:
      "Takes a deletion back, with all that it marked along with the record, and answers with the record. 409 when it is not deleted, or when a record that it belongs to still is.",
    batchCreate: `${BATCH_TEXT} All go in by one insert.`,
    batchUpdate: BATCH_TEXT,
    batchDelete: BATCH_TEXT,
    batchUpsert: `${BATCH_TEXT} 201 when all were created.`,
  };
  return `${details[operation.kind]} ${admissionText(operation.access)}`;
}

function deletionText(removal: DeleteModel | null): string {
  const text = removal?.mode !== "soft"
    ? "The record is removed for good."
    : removal.children === "refuse"
    ? "The record is kept, marked as deleted and seen no more."
    : "The record and its children are kept, marked as deleted and seen no more.";
  return removal?.children === "refuse"
    ? `${text} 409 while living records refer to it: \`details.children\` counts those that the caller reads.`
    : text;
}

const BATCH_TEXT = "Each record is written or refused by itself: 207 when some were refused.";

function admissionText(access: Access): string {
  const roles = rolesNamedBy(access);
  if (roles.length === 0) return "Admits nobody by role.";
  const admitted = `Admits ${roles.map((role) => `\`${role}\``).join(", ")}`;
  return dependsOnRecord(access) ? `${admitted}, depending on the record.` : `${admitted}.`;
}

function requestBody(operation: Operation, context: schemas.Describing): JsonSchema | null {
  const { kind } = operation;
  if (!isBodyKind(kind)) return null;
  const schema = schemas.bodyRef(kind, operation, context);
  const patch = kind === "update"
    ? responses.jsonContent(schema, { mediaType: MERGE_PATCH_MEDIA_TYPE })
    : {};
  return { required: true, content: { ...responses.jsonContent(schema), ...patch } };
}

function successResponse(
  operation: Operation,
  status: number,
  context: schemas.Describing,
): JsonSchema {
  const { project, components } = context;
  const { kind } = operation;
  const headers = (more: responses.SentHeaders = {}) =>
    responses.answerHeaders(components, {
      ...(isTagged(operation, project) ? { ETag: "ETag" as const } : {}),
      ...more,
      ...responses.writeHeaders(operation.method, operation.keyed),
    });
  switch (successOf(operation).body) {
    case "page":
      return {
        description: "A page of records.",
        headers: headers({ Link: "PageLinks" }),
        content: responses.jsonContent(schemas.pageRef(operation, context)),
      };
    case "history":
      return {
        description: "A page of changes.",
        headers: headers({ Link: "PageLinks" }),
        content: responses.jsonContent(schemas.historyRef(operation, context)),
      };
    case "record": {
      const isLocated = status === 201 && (kind === "create" || kind === "upsert");
      const schema = kind === "get"
        ? schemas.readRef(operation, context)
        : schemas.recordRef(operation, context);
      return {
        description: "The record.",
        headers: headers(isLocated ? { Location: "Location" } : {}),
        content: responses.jsonContent(schema),
      };
    }
    case "deleted":
      return {
        description: "The record is deleted.",
        headers: headers(),
        content: responses.jsonContent(components.refer("schemas", "Deleted", () => DELETED), {
          example: { success: true },
        }),
      };
    case "batch":
    case "batchDeleted": {
      const entry = kind === "batchDelete" ? "id" : "record";
      return components.refer("responses", batchName(entry, operation), () => ({
        description: "What was written, and what was refused.",
        headers: headers(),
        content: responses.jsonContent(schemas.batchRef(operation, context)),
      }));
    }
  }
}
