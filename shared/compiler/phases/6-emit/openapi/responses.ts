/** Builds responses and their headers. Those that several operations share are defined once, under `components`. */
import { type JsonValue, PROBLEM_MEDIA_TYPE } from "../../../../contract/mod.ts";
import { RETRY_AFTER_SECONDS, RUNTIME_CODES, type RuntimeCode } from "../../../../contract/mod.ts";
import type { JsonSchema, SystemRoute } from "../../../../surface/mod.ts";
import { byStatus, problemSchema, RATE_LIMITED } from "../../../../surface/mod.ts";
import type { Components, Reference } from "./components.ts";

/** Returns a media type object, with an example if its schema's members have none. */
export function jsonContent(
  schema: JsonSchema,
  { example, mediaType = "application/json" }: {
    readonly example?: JsonValue;
    readonly mediaType?: string;
  } = {},
): JsonSchema {
  return {
    [mediaType]: {
      schema,
      // Generators of types copy `example` into a comment of as many lines; they do not copy `examples`.
      ...(example === undefined ? {} : { examples: { sample: { value: example } } }),
    },
  };
}

const HEADERS = {
  RequestId: {
    description: "The id under which the request stands in the log.",
    required: true,
    schema: { type: "string", minLength: 1 },
  },
  ImpersonatedBy: {
    description: "Id of the `sysadmin` who acts in the caller's place; absent where nobody does.",
    schema: { type: "string", minLength: 1 },
  },
  WwwAuthenticate: {
    description:
      "How to authenticate (RFC 6750). `resource_metadata` leads to a description (RFC 9728); `error` says why a token was refused.",
    required: true,
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "Seconds to wait.",
    required: true,
    schema: { const: RETRY_AFTER_SECONDS },
  },
  RetryLater: {
    description:
      "Seconds to wait, when too many attempts were made or the database cannot be used.",
    schema: { type: "integer", minimum: 1 },
  },
  AcceptPatch: {
    description: "The media types that this PATCH takes (RFC 5789).",
    schema: { type: "string" },
  },
  ETag: {
    description:
      "A record's revision in quotes, with a suffix where something is masked, which `If-Match` takes; else a weak tag, for `If-None-Match` alone.",
    required: true,
    schema: { type: "string", pattern: '^(W/)?".*"$' },
  },
  FileTag: {
    description: "Digest of the file in quotes, for `If-None-Match` and `If-Range`.",
    required: true,
    schema: { type: "string", pattern: '^"[0-9a-f]{64}"$' },
  },
  AcceptRanges: {
    description: "Files are answered by ranges, too.",
    required: true,
    schema: { type: "string", const: "bytes" },
  },
  ContentRange: {
    description: "The range, and the size of the file (RFC 9110, 14.4).",
    required: true,
    schema: { type: "string", pattern: "^bytes (?:[0-9]+-[0-9]+|[*])/[0-9]+$" },
  },
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
  PreferenceApplied: {
    description: "`dry-run` when `dryRun` was asked for, and nothing was kept (RFC 7240).",
    schema: { type: "string", const: "dry-run" },
  },
  DatabasePosition: {
    description:
      "Place of this write in the database's history, where instances share a server. Sent back under the same name, it makes later requests see the write on every instance.",
    schema: { type: "string", maxLength: 64 },
  },
  Replayed: {
    description: "The write was done before under this `Idempotency-Key`; this is its answer.",
    schema: { type: "string", const: "true" },
  },
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Names of headers as they are sent, with their names under `components.headers`. */
export type SentHeaders = Readonly<Record<string, keyof typeof HEADERS>>;

/** Returns a code, with its title if that adds information. */
function saidReason(code: RuntimeCode): string {
  const { title } = RUNTIME_CODES[code];
  const isTold = code.replaceAll("_", " ") === title.toUpperCase();
  return isTold ? `\`${code}\`.` : `\`${code}\`: ${title}.`;
}

/** Returns the header objects of a response: the id of the request, and these. */
export function answerHeaders(components: Components, more: SentHeaders = {}): JsonSchema {
  const sent: SentHeaders = {
    "X-Request-Id": "RequestId",
    ...(components.names.impersonators ? { "Impersonated-By": "ImpersonatedBy" } : {}),
    ...more,
  };
  return Object.fromEntries(
    Object.entries(sent).map((
      [name, component],
    ) => [name, components.refer("headers", component, () => HEADERS[component])]),
  );
}

/** Returns the headers of a success. A write has its position in the database's history. */
export function writeHeaders(method: string, isKeyed: boolean): SentHeaders {
  if (method === "GET") return {};
  return { "Database-Position": "DatabasePosition", ...replayHeaders(isKeyed) };
}

/**
 * Returns the headers of a response that is stored under its idempotency key, because it may be sent again (contract 4.1 rule
 * 8).
 */
function replayHeaders(isKeyed: boolean): SentHeaders {
  return isKeyed ? { "Idempotency-Replayed": "Replayed" } : {};
}

const PROBLEM = { mediaType: PROBLEM_MEDIA_TYPE };

/** Returns declared refusals by status: a problem document for each, except the flat 429. */
export function refusalResponses(
  codes: readonly RuntimeCode[],
  { method, isKeyed = false, isAction = false, forms = {} }: {
    readonly method: string;
    /** True if the route accepts an `Idempotency-Key`. */
    readonly isKeyed?: boolean;
    /** True if the route's action may refuse by itself, under any status. */
    readonly isAction?: boolean;
    /** Refusals in another form, beside the problem documents of their status. */
    readonly forms?: SystemRoute["forms"];
  },
  components: Components,
): JsonSchema {
  return Object.fromEntries(
    [...byStatus(codes)].map(([status, reasons]) => {
      if (status === 429) {
        return [
          status,
          components.refer("responses", "RateLimited", () => ({
            description: `\`RATE_LIMITED\`: ${RUNTIME_CODES.RATE_LIMITED.title}.`,
            headers: answerHeaders(components, { "Retry-After": "RetryAfter" }),
            content: jsonContent(components.refer("schemas", "RateLimited", () => RATE_LIMITED)),
          })),
        ];
      }
      const headers: SentHeaders = {
        ...(status === 401 ? { "WWW-Authenticate": "WwwAuthenticate" } : {}),
        ...(reasons.some((code) => RETRIED.includes(code)) ? { "Retry-After": "RetryLater" } : {}),
        ...(status === 416 ? { "Content-Range": "ContentRange" } : {}),
        ...(status === 415 && method === "PATCH" ? { "Accept-Patch": "AcceptPatch" } : {}),
        // A refusal with one of these codes is stored, and may be sent again.
        ...replayHeaders(
          isKeyed && status !== 401 && status < 500 && reasons.some((code) => !ANEW.includes(code)),
        ),
      };
      const form = forms[status];
      const key = [
        ...reasons,
        ...Object.keys(headers),
        isAction,
        ...(form ? [form.mediaType] : []),
      ].join();
      const name = REFUSALS.get(status) ?? `Refused${status}`;
      return [
        status,
        components.referVariant("responses", name, key, () => ({
          description: reasons.map(saidReason).join(" "),
          headers: answerHeaders(components, headers),
          content: {
            // Keywords beside `$ref` apply too (JSON Schema 2020-12).
            ...jsonContent({
              ...problemRef(components),
              properties: { status: { const: status }, code: { enum: reasons } },
            }, PROBLEM),
            ...(isAction ? actionRefusalContent(components) : {}),
            ...(form ? jsonContent(form.schema, { mediaType: form.mediaType }) : {}),
          },
        })),
      ];
    }),
  );
}

/** Names under `components.responses`, by status. */
const REFUSALS: ReadonlyMap<number, string> = new Map([
  [400, "Invalid"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [408, "Timeout"],
  [409, "Conflict"],
  [412, "Changed"],
  [413, "TooLarge"],
  [415, "MediaType"],
  [416, "Range"],
  [422, "KeyReused"],
  [428, "NoAnchor"],
  [500, "Failed"],
  [503, "Unavailable"],
  [507, "Full"],
]);

function problemRef(components: Components): Reference {
  return components.refer("schemas", "Problem", problemSchema);
}

/** Refusals whose response contains the time to try again. */
const RETRIED: readonly RuntimeCode[] = [
  "AUTH_RATE_LIMITED",
  "DATABASE_UNAVAILABLE",
  "EMBEDDINGS_UNAVAILABLE",
  "STORAGE_UNAVAILABLE",
];

/**
 * Codes of refusals that no key stores: they come before the key is read, or do not depend on it. They are decided anew each
 * time.
 */
const ANEW: readonly RuntimeCode[] = [
  "HOST_INVALID",
  "ORIGIN_FORBIDDEN",
  "PAYLOAD_TOO_LARGE",
  "REQUEST_TIMEOUT",
  "ACCESS_NO_ORG",
  "FIREWALL_ORG_ISOLATION",
  "ACCESS_ROLE_REQUIRED",
  "IDEMPOTENCY_KEY_IN_FLIGHT",
  "IDEMPOTENCY_KEY_REUSED",
];

/** Returns the content of an action's own refusals, which is flat. */
export function actionRefusalContent(components: Components): JsonSchema {
  return jsonContent(components.refer("schemas", "ActionRefusal", () => ACTION_REFUSAL));
}

/** Describes refusals of the author's code around a write, under any status. */
export function hookRefusal(
  components: Components,
  { method, keyed }: { readonly method: string; readonly keyed: boolean },
): Reference {
  return components.referVariant("responses", "HookRefusal", `${method} ${keyed}`, () => ({
    description: "A refusal by the project's own code around the write.",
    headers: answerHeaders(components, writeHeaders(method, keyed)),
    content: actionRefusalContent(components),
  }));
}

const ACTION_REFUSAL: JsonSchema = {
  type: "object",
  description: "What an action itself refuses with.",
  properties: {
    error: { type: "string", description: "What is wrong, for people." },
    code: { type: "string", description: "What is wrong, for programs." },
    details: { description: "What the action has to add." },
  },
  required: ["error", "code"],
  additionalProperties: false,
};

/** Returns a reference to the refusals of an account route: flat ones of the library, and problem documents of the service. */
export function accountRefusal(components: Components): Reference {
  return components.refer("responses", "AccountRefusal", () => accountRefusalContent(components));
}

/** Returns the content of the same refusals. */
export function accountRefusalContent(components: Components): JsonSchema {
  return {
    description: "Refused; `code` says why. What the service refuses itself is a problem document.",
    headers: {
      ...answerHeaders(components, { "Retry-After": "RetryLater" }),
      "WWW-Authenticate": {
        description: "With a problem document of 401: how to authenticate.",
        schema: { type: "string" },
      },
    },
    content: {
      ...jsonContent(components.refer("schemas", "AccountRefusal", () => ACCOUNT_REFUSAL)),
      ...jsonContent(problemRef(components), PROBLEM),
    },
  };
}

const ACCOUNT_REFUSAL: JsonSchema = {
  type: "object",
  description: "A refusal by the account library.",
  properties: {
    message: {
      type: "string",
      description: "What is wrong, for people.",
      examples: ["Invalid email or password"],
    },
    code: {
      type: "string",
      minLength: 1,
      description: "What is wrong, for programs.",
      examples: ["INVALID_EMAIL_OR_PASSWORD"],
    },
  },
};
