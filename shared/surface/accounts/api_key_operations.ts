/** Routes of the caller's API keys. */
import { z } from "zod";
import { read, write } from "./define.ts";
import { MEMBER } from "./members.ts";
import type { AuthOperation } from "./operation.ts";
import { API_KEY, listOf, nullable, object, SUCCESS } from "./records.ts";

const { keyId, keyName, enabled, seconds } = MEMBER;

const REFUSALS = [400, 401, 403, 404] as const;

const remaining = z.int().min(1).nullable()
  .describe("Calls until it is used up; null: no such limit.").optional();
const rateLimitMax = z.int().min(1).describe("Calls per time window.").optional();
const rateLimitTimeWindow = z.int().min(1000).describe("Milliseconds.").optional();
const expiresIn = seconds.nullable().describe("Seconds until it ends; null: never.").optional();

/** A limit restricts its own key alone: whoever makes a key may ask for one. */
export const KEY_CREATION = {
  name: keyName.optional(),
  prefix: z.string().regex(/^[a-zA-Z0-9_-]{1,32}$/).describe("What the key begins with.")
    .optional(),
  expiresIn,
  remaining,
  refillAmount: z.int().min(1).describe("Calls that are added again.").optional(),
  refillInterval: z.int().min(1000).describe("Milliseconds between two additions.").optional(),
  rateLimitMax,
  rateLimitTimeWindow,
  rateLimitEnabled: z.boolean().describe("Whether calls are counted.").optional(),
} as const;

export const API_KEY_OPERATIONS: readonly AuthOperation[] = [
  write({
    id: "authApiKeyCreate",
    path: "/api-key/create",
    summary: "Make an API key for the caller in the active organization; the key is shown once",
    takes: KEY_CREATION,
    bodyExample: { name: "ci", expiresIn: 2_592_000 },
  }, object(["id", "key"], { name: nullable("name"), expiresAt: nullable("expiresAt") })),
  read({
    id: "authApiKeyList",
    path: "/api-key/list",
    summary: "List the caller's API keys, without their text",
  }, object([], { apiKeys: listOf("The keys.", API_KEY) })),
  read({
    id: "authApiKeyGet",
    path: "/api-key/get",
    summary: "Read one of the caller's API keys, without its text",
    query: z.object({ id: keyId }),
    refusals: REFUSALS,
  }, API_KEY),
  write({
    id: "authApiKeyUpdate",
    path: "/api-key/update",
    summary: "Rename, disable or enable an API key",
    takes: { keyId, name: keyName.optional(), enabled: enabled.optional(), expiresIn },
    bodyExample: { keyId: "<key_id>", enabled: false },
    refusals: REFUSALS,
  }, API_KEY),
  write({
    id: "authApiKeyDelete",
    path: "/api-key/delete",
    summary: "Take an API key back",
    takes: { keyId },
    bodyExample: { keyId: "<key_id>" },
    refusals: REFUSALS,
  }, SUCCESS),
];
