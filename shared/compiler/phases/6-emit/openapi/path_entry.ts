/** One operation object of the document, and how they become `paths`. */
import { type CodeRow, RUNTIME_CODES, type RuntimeCode } from "../../../../contract/codes.ts";
import { PROBLEM_MEDIA_TYPE } from "../../../../contract/headers.ts";
import { problemType } from "../../../../contract/problem_types.ts";
import type { JsonValue } from "../../../../contract/fields.ts";
import type { JsonSchema } from "../../../../surface/parameters.ts";
import { byStatus } from "../../../../surface/responses.ts";
import { problemOf } from "../../../../surface/schema/envelopes.ts";
import { COMMON_HEADERS, responseRef } from "./component_names.ts";

export interface PathEntry {
  /** In OpenAPI's notation, `{id}`. */
  readonly path: string;
  readonly method: string;
  readonly operation: JsonSchema;
}

/** Grouped by path, in the order of first mention. */
export function pathsOf(entries: readonly PathEntry[]): JsonSchema {
  const paths = new Map<string, Map<string, JsonSchema>>();
  for (const { path, method, operation } of entries) {
    const item = paths.get(path) ?? new Map<string, JsonSchema>();
    item.set(method.toLowerCase(), operation);
    paths.set(path, item);
  }
  return Object.fromEntries([...paths].map(([path, item]) => [path, Object.fromEntries(item)]));
}

/** `/tickets/:id` → `/tickets/{id}`. */
export function templated(path: string): string {
  return path.replace(/:([A-Za-z][A-Za-z0-9]*)/g, "{$1}");
}

/** Tags of what belongs to no resource; a resource's tag is its name. */

export const SERVICE_TAG = "Service";
export const WEBHOOKS_TAG = "Webhooks";
export const ACCOUNTS_TAG = "Accounts";

/** Media type objects, and the responses made of them. */
export function jsonContent(
  schema: JsonSchema,
  example: JsonValue,
  mediaType = "application/json",
): JsonSchema {
  return { [mediaType]: { schema, example } };
}

/** Declared responses by status: a problem for each, but for the flat 429. */
export function refusalResponses(codes: readonly RuntimeCode[], method: string): JsonSchema {
  return Object.fromEntries(
    [...byStatus(codes)].map(([status, reasons]) => [
      String(status),
      status === 429 ? responseRef("RateLimited") : problemResponse(status, reasons, method),
    ]),
  );
}

function problemResponse(
  status: number,
  codes: readonly RuntimeCode[],
  method: string,
): JsonSchema {
  return {
    description: codes.map((code) => `\`${code}\`: ${RUNTIME_CODES[code].title}.`).join(" "),
    headers: {
      ...COMMON_HEADERS,
      ...(status === 401
        ? { "WWW-Authenticate": { $ref: "#/components/headers/WwwAuthenticate" } }
        : {}),
      ...(codes.some((code) => RETRIED.includes(code)) ? { "Retry-After": RETRY_LATER } : {}),
      ...(status === 415 && method === "PATCH" ? { "Accept-Patch": ACCEPT_PATCH } : {}),
    },
    content: {
      [PROBLEM_MEDIA_TYPE]: {
        schema: problemOf(status, codes),
        ...(codes[0] ? { example: problemExample(codes[0], RUNTIME_CODES[codes[0]]) } : {}),
      },
    },
  };
}

/** Refusals that say when to come again. */
const RETRIED: readonly RuntimeCode[] = ["AUTH_RATE_LIMITED", "DATABASE_UNAVAILABLE"];

const ACCEPT_PATCH: JsonSchema = {
  description: "The media types that this PATCH takes (RFC 5789).",
  schema: { type: "string" },
};

const RETRY_LATER: JsonSchema = {
  description: "Seconds to wait, when too many attempts were made or the database cannot be used.",
  schema: { type: "integer", minimum: 1 },
};

function problemExample(code: RuntimeCode, { title, status, layer }: CodeRow): JsonSchema {
  return { type: problemType(code, "https://api.example.com"), title, status, layer, code };
}
