/**
 * Sends a request until it is answered for good: what cannot have had an effect, or cannot have it twice, is sent again
 * (contract 4.1 rule 8, 8.1).
 */
import { ApiError, apiErrorOf } from "./api_error.ts";

export interface ClientOptions {
  /** Origin of the API, without a path. */
  readonly baseUrl: string;
  /** A bearer token, or where to get one before each request. */
  readonly token?: string | (() => string | Promise<string>);
  readonly apiKey?: string;
  /** `include`: the session cookie goes with every request. */
  readonly credentials?: "include" | "same-origin" | "omit";
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Times that a request is sent at most; 3 unless told. */
  readonly attempts?: number;
  /** A new idempotency key. */
  readonly newKey?: () => string;
  /** Waits this many milliseconds, or until the signal. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The tag of the record that is meant, as `tagged` gives it. */
  readonly ifMatch?: string;
  /** Made anew for each write unless told. */
  readonly idempotencyKey?: string;
}

interface Call {
  readonly method: string;
  /** Path and query below the base. */
  readonly path: string;
  readonly body?: unknown;
}

export type Send = (call: Call, options?: CallOptions) => Promise<Response>;

/** Throws `ApiError` for a refusal, and what `fetch` throws when nobody answers. */
export function createTransport(options: ClientOptions): Send {
  const attempts = options.attempts ?? 3;
  const wait = options.wait ?? waited;
  return async (call, callOptions = {}) => {
    const key = keyOf(call, { ...callOptions, newKey: options.newKey ?? randomKey });
    for (let attempt = 1;; attempt++) {
      const outcome = await once(call, { client: options, call: callOptions, key });
      if (outcome.kind === "answered") return outcome.response;
      const pause = attempt < attempts ? pauseAfter(outcome.error, attempt) : null;
      if (pause === null) throw outcome.error;
      await wait(pause, callOptions.signal);
    }
  };
}

type Outcome =
  | { readonly kind: "answered"; readonly response: Response }
  | { readonly kind: "failed"; readonly error: unknown };

interface SendContext {
  readonly client: ClientOptions;
  readonly call: CallOptions;
  readonly key: string | null;
}

async function once(call: Call, sending: SendContext): Promise<Outcome> {
  const request = await requestOf(call, sending);
  const send = sending.client.fetch ?? ((one: Request) => fetch(one));
  try {
    const response = await send(request);
    return response.ok || response.status === 304
      ? { kind: "answered", response }
      : { kind: "failed", error: await apiErrorOf(response) };
  } catch (error) {
    return { kind: "failed", error };
  }
}

async function requestOf({ method, path, body }: Call, sending: SendContext): Promise<Request> {
  const { client, call, key } = sending;
  const headers = new Headers({ accept: "application/json" });
  const token = typeof client.token === "function" ? await client.token() : client.token;
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (client.apiKey !== undefined) headers.set("x-api-key", client.apiKey);
  if (key !== null) headers.set("idempotency-key", key);
  if (call.ifMatch !== undefined) headers.set("if-match", call.ifMatch);
  if (body !== undefined) headers.set("content-type", "application/json");
  return new Request(new URL(path, client.baseUrl), {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...(client.credentials === undefined ? {} : { credentials: client.credentials }),
  });
}

/** A write gets one key for all its attempts, so that it takes effect once. */
function keyOf(
  { method }: Call,
  { idempotencyKey, newKey }: CallOptions & { readonly newKey: () => string },
): string | null {
  return method === "GET" ? null : idempotencyKey ?? newKey();
}

const BASE_PAUSE = 200;

/** Milliseconds; null: sending it again would not help. */
function pauseAfter(error: unknown, attempt: number): number | null {
  const backoff = BASE_PAUSE * 2 ** (attempt - 1);
  if (!(error instanceof ApiError)) return isAbort(error) ? null : backoff;
  if (error.retryAfter !== null) return error.retryAfter * 1000;
  return error.status >= 500 || error.code === "IDEMPOTENCY_KEY_IN_FLIGHT" ? backoff : null;
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

function randomKey(): string {
  return crypto.randomUUID();
}

function waited(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
