/** The routes of webhooks and jobs as operation objects (contract 4.5, 4.6; definitions 6), and what is sent to registered endpoints (contract 3.4, 5.7, 6.1). */
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, PAGE_SIZE_MIN } from "../../../../contract/mod.ts";
import type { ProjectModel } from "../../../../model/mod.ts";
import type { JobOperation, JsonSchema, WebhookOperation } from "../../../../surface/mod.ts";
import { isKeyedJob, isKeyedWebhook, JOB_ROLES, jobOperationsOf } from "../../../../surface/mod.ts";
import { webhookOperationsOf } from "../../../../surface/mod.ts";
import { outboundEvents, SIGNATURE_HEADERS } from "../outbound_events.ts";
import { securityOf } from "./component_names.ts";
import { headerParameter } from "./parameters.ts";
import { JOBS_TAG, type PathEntry, templated, WEBHOOKS_TAG } from "./path_entry.ts";
import type { Describing } from "./resource_schemas.ts";
import { answerHeaders, jsonContent, refusalResponses, writeHeaders } from "./responses.ts";

export function webhookPathEntries(context: Describing): readonly PathEntry[] {
  const { project } = context;
  const webhooks = webhookOperationsOf(project).map((operation) => ({
    operation,
    tag: WEBHOOKS_TAG,
    isKeyed: isKeyedWebhook(operation.kind),
    admission: admissionText(operation),
    parameters: [],
  }));
  const jobs = jobOperationsOf(project).map((operation) => ({
    operation,
    tag: JOBS_TAG,
    isKeyed: isKeyedJob(operation.kind),
    admission: ` Admits ${JOB_ROLES.map((role) => `\`${role}\``).join(", ")}.`,
    parameters: project.multiTenant ? [ORGANIZATION] : [],
  }));
  return [...webhooks, ...jobs].map((told) => ({
    path: templated(told.operation.path),
    method: told.operation.method,
    operation: operationObject(told, context),
  }));
}

interface ToldOperation {
  readonly operation: WebhookOperation | JobOperation;
  readonly tag: string;
  readonly isKeyed: boolean;
  /** The callers that it admits. */
  readonly admission: string;
  /** Beside those of every such route. */
  readonly parameters: readonly JsonSchema[];
}

function operationObject(
  { operation, tag, isKeyed, admission, parameters: more }: ToldOperation,
  { project, components }: Describing,
): JsonSchema {
  const { id, summary, description, body, who, codes, method } = operation;
  const parameters: readonly JsonSchema[] = [
    ...(operation.path.includes(":id") ? [ID] : []),
    ...(operation.page === null ? [] : [LIMIT, OFFSET, STARTING_AFTER, ENDING_BEFORE]),
    ...(operation.page === null || operation.page.statuses.length === 0 ? [] : [{
      name: "status",
      in: "query",
      description: "Only records of this status.",
      schema: { type: "string", enum: [...operation.page.statuses] },
    }]),
    ...more,
    ...(isKeyed ? [headerParameter("IdempotencyKey", components)] : []),
  ];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}${admission}`,
    security: securityOf(project, { who }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === null ? {} : {
      requestBody: {
        required: true,
        content: jsonContent(body, { example: operation.bodyExample }),
      },
    }),
    responses: {
      [String(operation.status)]: {
        description: "Success.",
        headers: answerHeaders(components, {
          ...(operation.kind === "registerEndpoint" ? { Location: "Location" as const } : {}),
          ...(operation.page === null ? {} : { Link: "PageLinks" as const }),
          ...writeHeaders(method, isKeyed),
        }),
        content: jsonContent(operation.success, { example: operation.example }),
      },
      ...refusalResponses(codes, { method, isKeyed }, components),
    },
  };
}

function admissionText({ kind, roles }: WebhookOperation): string {
  if (kind === "receive") return "";
  const admitted = roles.map((role) => `\`${role}\``).join(", ");
  return kind.includes("Inbound")
    ? ` Admits ${admitted}.`
    : ` Admits ${admitted} of the active organization; without one, the caller has endpoints of their own.`;
}

const ORGANIZATION: JsonSchema = {
  name: "organizationId",
  in: "query",
  description: "Whose jobs: for `sysadmin` any organization, for others their own.",
  schema: { type: "string", minLength: 1 },
};

const ID: JsonSchema = {
  name: "id",
  in: "path",
  required: true,
  description: "Id of the record.",
  schema: { type: "string" },
};

const LIMIT: JsonSchema = {
  name: "limit",
  in: "query",
  description: `Records per page, clamped to ${PAGE_SIZE_MIN} to ${PAGE_SIZE_MAX}.`,
  schema: { type: "integer", default: PAGE_SIZE_DEFAULT },
};

const OFFSET: JsonSchema = {
  name: "offset",
  in: "query",
  description: "Records to skip.",
  schema: { type: "integer", minimum: 0, default: 0 },
};

const STARTING_AFTER: JsonSchema = {
  name: "starting_after",
  in: "query",
  description:
    "A cursor from `pagination`: the records that follow it. Not together with `offset` or `ending_before`.",
  schema: { type: "string", minLength: 1 },
};

const ENDING_BEFORE: JsonSchema = {
  name: "ending_before",
  in: "query",
  description:
    "A cursor from `pagination`: the records right before it. Not together with `offset` or `starting_after`.",
  schema: { type: "string", minLength: 1 },
};

/** `webhooks` of the document; none for a project that sends nothing. */
export function eventWebhooks(project: ProjectModel): JsonSchema {
  const events = outboundEvents(project);
  if (events.length === 0) return {};
  return {
    webhooks: Object.fromEntries(events.map((event) => [event.type, {
      post: {
        operationId: event.key,
        tags: [WEBHOOKS_TAG],
        summary: event.title,
        description:
          "Sent to each endpoint that asked for it, signed in the Standard Webhooks format, and again under the same `webhook-id` when the answer is lost or says no.",
        security: [],
        parameters: PARAMETERS,
        requestBody: {
          required: true,
          content: jsonContent(event.body, { example: event.example }),
        },
        responses: {
          "200": { description: "Taken, as with any status from 200 to 299." },
          "default": {
            description: "Tried again; a redirect is not followed and ends the delivery.",
          },
        },
      },
    }])),
  };
}

const PARAMETERS: readonly JsonSchema[] = Object.entries(SIGNATURE_HEADERS).map(
  ([name, { description, ...schema }]) => ({
    name,
    in: "header",
    required: true,
    description,
    schema,
  }),
);
