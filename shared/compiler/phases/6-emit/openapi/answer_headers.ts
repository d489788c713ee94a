/** Headers of answers: where a new record is, where the next page is, and that it was said before. */
import { isJsonObject } from "../../../../lib/json.ts";
import type { RuntimeCode } from "../../../../contract/codes.ts";
import { PROBLEM_MEDIA_TYPE } from "../../../../contract/headers.ts";
import type { Operation } from "../../../../surface/operations.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import type { WebhookOperation } from "../../../../surface/webhook_operations.ts";
import { headerParameterRef } from "./parameters.ts";
import type { PathEntry } from "./path_entry.ts";

/** The components that the functions below refer to. */
export const ANSWER_HEADERS = {
  Location: {
    description: "Path of the new record.",
    required: true,
    schema: { type: "string", format: "uri-reference", pattern: "^/" },
  },
  PageLinks: {
    description:
      'The pages beside this one by the same query: `rel="next"` and `rel="prev"`, where there are such (RFC 8288).',
    schema: { type: "string", pattern: "^<" },
  },
  Replayed: {
    description: "The write was done before under this `Idempotency-Key`; this is its answer.",
    schema: { type: "string", const: "true" },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

type Described = Pick<Operation | WebhookOperation, "kind">;

/** Makes one record and says where it is: batches and actions do not. */
export function isLocated({ kind }: Described): boolean {
  return kind === "create" || kind === "upsert" || kind === "registerEndpoint";
}

export function isPaged(operation: Operation | WebhookOperation): boolean {
  return operation.kind === "list" || operation.kind === "view" ||
    ("page" in operation && operation.page !== null);
}

/** Headers of a success with this status. */
export function answerHeaders(operation: Operation | WebhookOperation, status: number): JsonSchema {
  return {
    ...(status === 201 && isLocated(operation) ? { Location: headerRef("Location") } : {}),
    ...(isPaged(operation) ? { Link: headerRef("PageLinks") } : {}),
  };
}

const KEYED = headerParameterRef("IdempotencyKey").$ref;

/** The operation, each answer that is kept for its key marked as one that may come again (contract 4.1 rule 8). */
export function withReplays(entry: PathEntry): PathEntry {
  const { parameters, responses } = entry.operation;
  const isKeyed = Array.isArray(parameters) &&
    parameters.some((parameter) => isJsonObject(parameter) && parameter.$ref === KEYED);
  if (!isKeyed || !isJsonObject(responses)) return entry;
  const marked = Object.entries(responses).map(([status, response]) => [
    status,
    mayComeAgain(status, response) ? marking(response) : response,
  ]);
  return { ...entry, operation: { ...entry.operation, responses: Object.fromEntries(marked) } };
}

/** Every success and an action's own refusal (`default`), and what some code of a problem's status is kept for. */
function mayComeAgain(status: string, response: JsonSchema[string]): boolean {
  if (status === "default" || Number(status) < 400) return true;
  if (status === "401" || Number(status) >= 500) return false;
  const codes = CODES_OF_PROBLEM.reduce<JsonSchema[string] | undefined>(
    (value, key) => isJsonObject(value) ? value[key] : undefined,
    response,
  );
  return Array.isArray(codes) && codes.some((code) => !ANEW.some((one) => one === code));
}

const CODES_OF_PROBLEM = ["content", PROBLEM_MEDIA_TYPE, "schema", "properties", "code", "enum"];

/** Before the key is looked at, or whatever was kept for it, or kept for nobody: these are judged anew each time. */
const ANEW: readonly RuntimeCode[] = [
  "HOST_INVALID",
  "ORIGIN_FORBIDDEN",
  "PAYLOAD_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "ACCESS_NO_ORG",
  "ACCESS_ROLE_REQUIRED",
  "IDEMPOTENCY_KEY_IN_FLIGHT",
  "IDEMPOTENCY_KEY_REUSED",
];

function marking(response: JsonSchema[string]): JsonSchema[string] {
  if (!isJsonObject(response) || !isJsonObject(response.headers)) return response;
  return {
    ...response,
    headers: { ...response.headers, "Idempotency-Replayed": headerRef("Replayed") },
  };
}

function headerRef(name: keyof typeof ANSWER_HEADERS): JsonSchema {
  return { $ref: `#/components/headers/${name}` };
}
