/**
 * Digests of key, request and caller (contract 4.1 rule 8, definitions 7 "Idempotency-Key"). Refuses with
 * `VALIDATION_INVALID_INPUT` a malformed key.
 */
import { HEADERS, MERGE_PATCH_MEDIA_TYPE } from "../../contract/headers.ts";
import { IDEMPOTENCY_KEY_MAX_LENGTH } from "../../contract/limits.ts";
import type { Principal } from "../../model/principal.ts";
import { SCOPE_PARAMETER } from "../../surface/parameters.ts";
import type { KeyedRequest, RequestContext } from "../context.ts";
import type { Admitted } from "../gate.ts";
import { refuse } from "../refusal.ts";

const KEY = /^[\x21-\x7e]+$/;

/** The header's draft says it as a quoted text (RFC 9651, 3.3.3), most clients bare: both are the same key. */
const QUOTED = /^"(.+)"$/;

/** The key without its quotes. A repeated header arrives with a space in it, which no key has. */
export function requireKey(headers: Headers): string {
  const key = headers.get(HEADERS.idempotencyKey) ?? "";
  if (KEY.test(key) && key.length <= IDEMPOTENCY_KEY_MAX_LENGTH) {
    return QUOTED.exec(key)?.[1] ?? key;
  }
  return refuse("VALIDATION_INVALID_INPUT", {
    detail:
      `Header "Idempotency-Key" must be 1 to ${IDEMPOTENCY_KEY_MAX_LENGTH} visible ASCII characters`,
    details: { header: "Idempotency-Key" },
    hint: "Send one key, such as a UUID, for each write that must happen once",
  });
}

export async function keyedRequest(
  key: string,
  request: Admitted,
  body: Uint8Array<ArrayBuffer>,
): Promise<KeyedRequest> {
  const { method, path, search, headers, principal } = request;
  const head = [method, path, search, headers.get(HEADERS.ifMatch), mergeOf(headers)];
  const [id, fingerprint, caller] = await Promise.all([
    digest([...scopeOf(principal, request), key]),
    digest([...head, await digestOf(body)]),
    digest(callerOf(principal, request)),
  ]);
  return { id, fingerprint, principal: caller, organizationId: principal.organizationId };
}

/** The same bytes mean something else as a merge patch. */
function mergeOf(headers: Headers): boolean {
  return headers.get("content-type")?.toLowerCase().includes(MERGE_PATCH_MEDIA_TYPE) ?? false;
}

/** Anonymous callers share nothing with tenants or with each other's addresses: their keys can be guessed or occupied by anybody. */
function scopeOf(
  { credential, organizationId, userId, delegate, scope }: Principal,
  { clientIp, search }: RequestContext,
): readonly (string | null)[] {
  if (credential === "none") {
    return ["anonymous", clientIp, new URLSearchParams(search).get(SCOPE_PARAMETER)];
  }
  if (organizationId !== null) return ["organization", organizationId];
  if (delegate) return ["delegated", delegate.name, delegate.subject];
  return userId === null ? ["scope", scope ?? null] : ["user", userId];
}

/** A token stands for the session that it was minted from. Every other member of a principal counts, in any order of roles. */
function callerOf(principal: Principal, { clientIp }: RequestContext): readonly unknown[] {
  const { credential, roles, ...rest } = principal;
  const members = Object.entries(rest).sort(([one], [other]) => one < other ? -1 : 1);
  return [
    credential === "token" ? "session" : credential,
    credential === "none" ? clientIp : null,
    [...roles].sort(),
    members,
  ];
}

function digest(parts: readonly unknown[]): Promise<string> {
  return digestOf(new TextEncoder().encode(JSON.stringify(parts)));
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
    .toBase64({ alphabet: "base64url", omitPadding: true });
}
