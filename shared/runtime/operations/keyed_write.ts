/**
 * Performs a write under an `Idempotency-Key` (contract 4.1 rule 8, definitions 7). Key, effect and answer are one transaction:
 * a write that is killed before its commit never happened, and a committed one is answered again. Refuses with
 * `IDEMPOTENCY_KEY_REUSED` and `IDEMPOTENCY_KEY_IN_FLIGHT`.
 */
import { HEADERS, IDEMPOTENCY_KEY_MAX_LENGTH, IDEMPOTENCY_TTL_MS } from "../../contract/mod.ts";
import { MERGE_PATCH_MEDIA_TYPE, RUNTIME_CODES, type RuntimeCode } from "../../contract/mod.ts";
import { allInOrder } from "../../lib/all_in_order.ts";
import { sha256 } from "../../lib/bytes.ts";
import type { Principal } from "../../model/mod.ts";
import { SCOPE_PARAMETER } from "../../surface/mod.ts";
import type { KeyedRequest, RequestContext } from "../context.ts";
import { findKeptAnswer, keepAnswer, type KeptAnswer } from "../data/kept_answers.ts";
import { databaseWithin, inSavepoint } from "../data/within.ts";
import type { Admitted } from "../gate.ts";
import type { SecretBox, Transaction } from "../ports.ts";
import { Refusal, refuse } from "../refusal.ts";
import { refusedResponse } from "../response/refused.ts";

interface Write {
  readonly request: Admitted;
  /** The operation's name for the problem of a refusal, and for the log. */
  readonly operation: string;
  readonly takesBody: boolean;
  /** Performs the write on the database of this request, which is a transaction. */
  perform(request: Admitted): Promise<Response>;
  /** Refuses a caller who may not run the operation at all. */
  requireAccess(): void;
  /** True when no code of an author runs: the write may begin before the key is known to be new, and be undone. */
  readonly isUndoable?: true;
  /** True when statements without a bound may be among its own. */
  readonly isUnbounded?: boolean;
  /** Encrypts the kept answer when it may contain a secret; absent: it never does. */
  readonly secrets?: SecretBox;
}

export interface Answered {
  readonly response: Response;
  /** Code of the answer's refusal; null: it succeeded. */
  readonly code: RuntimeCode | null;
}

/** Answers once per key; refusals are thrown the first time, and answered when they are repeated. */
export async function keyedWrite(write: Write): Promise<Answered> {
  const { request } = write;
  const key = requireKey(request.headers);
  const body = await bytesOf(request);
  // A body beyond its limit has no fingerprint: each request with one is refused at the validation step.
  if (body === null) {
    return { response: await write.perform(request), code: null };
  }
  const keyed = await keyedRequest(key, request, body);
  const { inFlight } = request.app;
  const other = inFlight.get(keyed.id);
  if (other) {
    // Another process waits for the write lock meanwhile and finds the answer: only this process can know of a write in
    // progress.
    write.requireAccess();
    requireSame(keyed, other);
    return refuse("IDEMPOTENCY_KEY_IN_FLIGHT");
  }
  inFlight.set(keyed.id, keyed);
  try {
    const outcome = await request.database.write(
      (transaction) => once(write, keyed, transaction),
      { unbounded: write.isUnbounded ? "write" : undefined },
    );
    switch (outcome.kind) {
      case "done":
        return answered(outcome.answer);
      case "refused":
        throw outcome.refusal;
      case "kept":
        // A caller who has lost the role since is refused; one whose role was gained or changed would see an answer masked for
        // another role (traps 9).
        write.requireAccess();
        requireSame(keyed, outcome.answer);
        {
          const again = answered(await opened(outcome.answer, write));
          again.response.headers.set(HEADERS.idempotencyReplayed, "true");
          return again;
        }
    }
  } finally {
    inFlight.delete(keyed.id);
  }
}

async function bytesOf({ body }: RequestContext): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return await body.bytes();
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

function requireSame(own: KeyedRequest, other: Omit<KeyedRequest, "id">): void {
  if (own.fingerprint === other.fingerprint && own.principal === other.principal) return;
  refuse("IDEMPOTENCY_KEY_REUSED");
}

type Outcome =
  | { readonly kind: "kept"; readonly answer: KeptAnswer }
  | { readonly kind: "done"; readonly answer: KeptAnswer }
  | { readonly kind: "refused"; readonly refusal: Refusal };

async function once(
  write: Write,
  keyed: KeyedRequest,
  transaction: Transaction,
): Promise<Outcome> {
  const { now } = write.request;
  const looking = findKeptAnswer(transaction, { id: keyed.id, now });
  // The look-up and the write are sent together where the database pipelines statements.
  const known = write.isUndoable && transaction.line ? null : await looking;
  if (known) return { kind: "kept", answer: known };
  const [found, attempt] = await allInOrder([looking, attempted(write, transaction, looking)]);
  if (found) return { kind: "kept", answer: found };
  const { response, refusal } = attempt;
  const answer = {
    ...keyed,
    status: response.status,
    code: refusal?.code ?? null,
    headers: JSON.stringify([...response.headers]),
    body: await response.text(),
    expiresAt: new Date(Date.parse(now) + IDEMPOTENCY_TTL_MS).toISOString(),
  };
  if (isKept(answer.status)) {
    const body = await write.secrets?.seal(answer.id, answer.body) ?? answer.body;
    transaction.line?.conclude("apart");
    await keepAnswer(transaction, { ...answer, body }, now);
  }
  return refusal ? { kind: "refused", refusal } : { kind: "done", answer };
}

interface Attempt {
  readonly response: Response;
  /** The refusal; null: the write succeeded. */
  readonly refusal: Refusal | null;
}

/**
 * Undoes a refused write and keeps its refusal, except for refusals that say nothing about the request. A write whose key turns
 * out to have an answer is undone as well.
 */
async function attempted(
  { request, operation, takesBody, perform }: Write,
  transaction: Transaction,
  looking: Promise<KeptAnswer | null>,
): Promise<Attempt> {
  const undone = new Error("The key has its answer");
  let response = new Response();
  try {
    await inSavepoint(transaction, async () => {
      response = await perform(request.on(databaseWithin(transaction)));
      if (await looking) throw undone;
    });
    return { response, refusal: null };
  } catch (error) {
    if (await looking) return { response, refusal: null };
    if (!(error instanceof Refusal) || !isKept(RUNTIME_CODES[error.code].status)) throw error;
    if (takesBody) await request.body.settle();
    return { response: refusedResponse(error, request, operation), refusal: error };
  }
}

function isKept(status: number): boolean {
  return status !== 401 && status !== 429 && status < 500;
}

async function opened(answer: KeptAnswer, { secrets }: Write): Promise<KeptAnswer> {
  if (!secrets) return answer;
  const body = await secrets.open(answer.id, answer.body);
  if (body === null) throw new Error("The kept answer was sealed under another AUTH_SECRET");
  return { ...answer, body };
}

/** Builds the answer, the first time and every time after. A code that this version no longer knows is still a refusal. */
function answered({ status, code, headers, body }: KeptAnswer): Answered {
  return {
    response: new Response(body, { status, headers: pairs(headers) }),
    code: code === null || isRuntimeCode(code) ? code : "INTERNAL_ERROR",
  };
}

function isRuntimeCode(code: string): code is RuntimeCode {
  return Object.hasOwn(RUNTIME_CODES, code);
}

function pairs(json: string): [string, string][] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new Error("The kept headers are no list");
  return parsed.map((pair: unknown) => {
    const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    return [String(name), String(value)];
  });
}

const KEY = /^[\x21-\x7e]+$/;

/**
 * Matches a quoted key. The header's draft has it as a quoted text (RFC 9651, 3.3.3), most clients send it bare: both are the
 * same key.
 */
const QUOTED = /^"(.+)"$/;

/**
 * Reads the key without its quotes, for the digests of key, request and caller (contract 4.1 rule 8, definitions 7
 * "Idempotency-Key"). Refuses a malformed key with `VALIDATION_INVALID_INPUT`. A repeated header arrives with a space in it,
 * which no key contains.
 */
function requireKey(headers: Headers): string {
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

async function keyedRequest(
  key: string,
  request: Admitted,
  body: Uint8Array<ArrayBuffer>,
): Promise<KeyedRequest> {
  const { method, path, search, headers, principal } = request;
  // The same bytes have another meaning as a merge patch.
  const isMerged = headers.get("content-type")?.toLowerCase().includes(MERGE_PATCH_MEDIA_TYPE) ??
    false;
  const head = [method, path, search, headers.get(HEADERS.ifMatch), isMerged];
  const { credential, roles, ...rest } = principal;
  const members = Object.entries(rest).sort(([one], [other]) => one < other ? -1 : 1);
  const [id, fingerprint, caller] = await Promise.all([
    digest([...scopeOf(principal, request), key]),
    digest([...head, await digest(body)]),
    digest([
      credential === "token" ? "session" : credential,
      credential === "none" ? request.clientIp : null,
      [...roles].sort(),
      members,
    ]),
  ]);
  return { id, fingerprint, principal: caller, organizationId: principal.organizationId };
}

/**
 * Returns the scope in which a key is unique. Anonymous callers share their keys with no tenant and with no other address:
 * anybody could guess or occupy their keys.
 */
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

async function digest(data: Uint8Array<ArrayBuffer> | readonly unknown[]): Promise<string> {
  const hash = await sha256(data instanceof Uint8Array ? data : JSON.stringify(data));
  return hash.toBase64({ alphabet: "base64url", omitPadding: true });
}
