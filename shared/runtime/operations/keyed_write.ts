/**
 * A write under an `Idempotency-Key` (contract 4.1 rule 8, definitions 7). Key, effect and answer are one transaction: what is
 * killed before its commit never happened, and what is committed is answered again. Refuses with `IDEMPOTENCY_KEY_REUSED`
 * and `IDEMPOTENCY_KEY_IN_FLIGHT`.
 */
import { RUNTIME_CODES, type RuntimeCode } from "../../contract/codes.ts";
import { HEADERS } from "../../contract/headers.ts";
import { IDEMPOTENCY_TTL_MS } from "../../contract/limits.ts";
import type { KeyedRequest, RequestContext } from "../context.ts";
import type { Admitted } from "../gate.ts";
import { findKeptAnswer, keepAnswer, type KeptAnswer } from "../data/kept_answers.ts";
import { databaseWithin, inSavepoint } from "../data/within.ts";
import type { SecretBox, Transaction } from "../ports.ts";
import { Refusal, refuse } from "../refusal.ts";
import { refusedResponse } from "../response/refused.ts";
import { keyedRequest, requireKey } from "./idempotency_key.ts";

interface Write {
  readonly request: Admitted;
  /** For the problem of a refusal, and the log. */
  readonly operation: string;
  readonly takesBody: boolean;
  /** Does it all on the database of this request, which stands for a transaction. */
  perform(request: Admitted): Promise<Response>;
  /** Refuses a caller who may not run the operation at all. */
  requireAccess(): void;
  /** Seals what is kept of an answer that may hold a secret; absent: none does. */
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
  // A body beyond its limit has no fingerprint: it is refused in its place, each time.
  if (body === null) {
    return { response: await write.perform(request), code: null };
  }
  const keyed = await keyedRequest(key, request, body);
  const { inFlight } = request.app;
  const other = inFlight.get(keyed.id);
  if (other) return refuseInFlight(write, keyed, other);
  inFlight.set(keyed.id, keyed);
  try {
    const outcome = await request.database.write((transaction) => once(write, keyed, transaction));
    return await settled(write, keyed, outcome);
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

/** Another process waits for the write lock meanwhile and finds the answer: only this one can tell what is on its way. */
function refuseInFlight(write: Write, own: KeyedRequest, other: KeyedRequest): never {
  write.requireAccess();
  requireSame(own, other);
  return refuse("IDEMPOTENCY_KEY_IN_FLIGHT");
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
  const known = await findKeptAnswer(transaction, { id: keyed.id, now });
  if (known) return { kind: "kept", answer: known };
  const { response, refusal } = await attempted(write, transaction);
  const answer = await keptAnswer(response, { keyed, code: refusal?.code ?? null, now });
  if (isKept(answer.status)) await keepAnswer(transaction, await sealed(answer, write), now);
  return refusal ? { kind: "refused", refusal } : { kind: "done", answer };
}

interface Attempt {
  readonly response: Response;
  /** Null: it was done. */
  readonly refusal: Refusal | null;
}

/** Undoes a refused write and keeps its refusal, except for refusals that say nothing about the request. */
async function attempted(
  { request, operation, takesBody, perform }: Write,
  transaction: Transaction,
): Promise<Attempt> {
  try {
    const response = await inSavepoint(
      transaction,
      () => perform(request.on(databaseWithin(transaction))),
    );
    return { response, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal) || !isFinal(error.code)) throw error;
    if (takesBody) await request.body.settle();
    return { response: refusedResponse(error, request, operation), refusal: error };
  }
}

function isFinal(code: RuntimeCode): boolean {
  return isKept(RUNTIME_CODES[code].status);
}

function isKept(status: number): boolean {
  return status !== 401 && status !== 429 && status < 500;
}

async function keptAnswer(
  response: Response,
  { keyed, code, now }: {
    readonly keyed: KeyedRequest;
    readonly code: RuntimeCode | null;
    readonly now: string;
  },
): Promise<KeptAnswer> {
  return {
    ...keyed,
    status: response.status,
    code,
    headers: JSON.stringify([...response.headers]),
    body: await response.text(),
    expiresAt: new Date(Date.parse(now) + IDEMPOTENCY_TTL_MS).toISOString(),
  };
}

async function sealed(answer: KeptAnswer, { secrets }: Write): Promise<KeptAnswer> {
  if (!secrets) return answer;
  return { ...answer, body: await secrets.seal(answer.id, answer.body) };
}

async function opened(answer: KeptAnswer, { secrets }: Write): Promise<KeptAnswer> {
  if (!secrets) return answer;
  const body = await secrets.open(answer.id, answer.body);
  if (body === null) throw new Error("The kept answer was sealed under another AUTH_SECRET");
  return { ...answer, body };
}

async function settled(write: Write, keyed: KeyedRequest, outcome: Outcome): Promise<Answered> {
  switch (outcome.kind) {
    case "done":
      return answered(outcome.answer);
    case "refused":
      throw outcome.refusal;
    case "kept":
      // Who lost the role since is told so; who gained or changed one would see what was masked for another (traps 9).
      write.requireAccess();
      requireSame(keyed, outcome.answer);
      return replayed(await opened(outcome.answer, write));
  }
}

function replayed(answer: KeptAnswer): Answered {
  const again = answered(answer);
  again.response.headers.set(HEADERS.idempotencyReplayed, "true");
  return again;
}

/** The first time and every time after. */
function answered({ status, code, headers, body }: KeptAnswer): Answered {
  return { response: new Response(body, { status, headers: pairs(headers) }), code: codeOf(code) };
}

function pairs(json: string): [string, string][] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new Error("The kept headers are no list");
  return parsed.map((pair: unknown) => {
    const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    return [String(name), String(value)];
  });
}

/** A code that this version no longer knows is still a refusal. */
function codeOf(code: string | null): RuntimeCode | null {
  if (code === null) return null;
  return isRuntimeCode(code) ? code : "INTERNAL_ERROR";
}

function isRuntimeCode(code: string): code is RuntimeCode {
  return Object.hasOwn(RUNTIME_CODES, code);
}
