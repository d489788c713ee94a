/**
 * Sends a request until it is answered. A request is repeated if it cannot have had an effect, or cannot have one twice
 * (contract 4.1 rule 8, 8.1).
 */
import { jsonText } from "./json_text.ts";
import { ApiError, apiErrorOf } from "./api_error.ts";
import type { Credentials, GivenCredentials } from "./credentials.ts";
import type { ClientStorage } from "./session_store.ts";

export interface ClientOptions extends GivenCredentials {
  /** Mode of the browser's cookies. Default: `include`, unless a token or a key is given. */
  readonly credentials?: "include" | "same-origin" | "omit";
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Stores the credentials after a sign-in. Default: memory, which a reload of the page clears. */
  readonly storage?: ClientStorage;
  /** Most attempts of a request. Default: 3. */
  readonly attempts?: number;
  /** Makes an idempotency key. */
  readonly newKey?: () => string;
  /** Waits this many milliseconds, or until the signal aborts. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Tag of the expected record, from `tagged`. */
  readonly ifMatch?: string;
  /** Default: a new key for each write. */
  readonly idempotencyKey?: string;
}

export interface Call {
  readonly method: string;
  /** Path and query, or the whole URL of a foreign call. */
  readonly path: string;
  /** True for a URL that needs no credentials. None are sent. */
  readonly isForeign?: boolean;
  /** Body: a blob is sent as bytes, with the type in `headers`; any other value as JSON. */
  readonly body?: unknown;
  /** True when the route has no idempotency keys, so that a request without an answer is not repeated. */
  readonly isUnkeyed?: boolean;
  /** Default: JSON. */
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Send = (call: Call, options?: CallOptions) => Promise<Response>;

interface Transport {
  /** Origin of the API. */
  readonly baseUrl: string;
  readonly options: ClientOptions;
  readonly credentials: Credentials;
  readonly last: LastWrite;
}

/**
 * Position of this client's last write in the database's history. It is sent along, so that every instance waits for that
 * write.
 */
interface LastWrite {
  position: string | null;
}

/** Makes the function that sends calls. It throws `ApiError` for a refusal, and the error of `fetch` if nobody answers. */
export function createTransport(transport: Transport): Send {
  const { options, credentials } = transport;
  const wait = options.wait ?? waited;
  return async (call, callOptions = {}) => {
    // All attempts of a write have one key, so that it takes effect once.
    const key = call.method === "GET" || call.isUnkeyed === true
      ? null
      : callOptions.idempotencyKey ?? options.newKey?.() ?? crypto.randomUUID();
    const attempts = call.isUnkeyed === true ? 1 : options.attempts ?? 3;
    let isRenewed = false;
    for (let attempt = 1;;) {
      const identity = call.isForeign === true ? {} : await credentials.headers();
      const outcome = await once(call, { transport, identity, call: callOptions, key });
      if (outcome.kind === "answered") return outcome.response;
      if (
        !isRenewed && outcome.error instanceof ApiError && outcome.error.code === "AUTH_EXPIRED" &&
        await credentials.renew(identity)
      ) {
        isRenewed = true;
        continue;
      }
      const pause = attempt < attempts ? pauseAfter(outcome.error, attempt) : null;
      if (pause === null) throw outcome.error;
      await wait(pause, callOptions.signal);
      attempt++;
    }
  };
}

type Outcome =
  | { readonly kind: "answered"; readonly response: Response }
  | { readonly kind: "failed"; readonly error: unknown };

interface SendContext {
  readonly transport: Transport;
  /** Headers with the caller's credentials. */
  readonly identity: Readonly<Record<string, string>>;
  readonly call: CallOptions;
  readonly key: string | null;
}

const POSITION = "database-position";

async function once(call: Call, sending: SendContext): Promise<Outcome> {
  const send = sending.transport.options.fetch ?? ((one: Request) => fetch(one));
  try {
    const response = await send(requestOf(call, sending));
    const { last } = sending.transport;
    last.position = response.headers.get(POSITION) ?? last.position;
    return response.ok || response.status === 304
      ? { kind: "answered", response }
      : { kind: "failed", error: await apiErrorOf(response) };
  } catch (error) {
    return { kind: "failed", error };
  }
}

function requestOf(
  { method, path, body, accept, headers: own, isForeign = false }: Call,
  sending: SendContext,
): Request {
  const { transport, identity, call, key } = sending;
  const position = isForeign ? null : transport.last.position;
  const headers = new Headers({ accept: accept ?? "application/json", ...own, ...identity });
  if (key !== null) headers.set("idempotency-key", key);
  if (position !== null) headers.set(POSITION, position);
  if (call.ifMatch !== undefined && !isForeign) headers.set("if-match", call.ifMatch);
  const isBytes = body instanceof Blob;
  if (body !== undefined && !isBytes) headers.set("content-type", "application/json");
  // Undefined means the platform's default. Some platforms have no cookies.
  const credentials = isForeign ? "omit" : transport.options.credentials ??
    (transport.options.token === undefined && transport.options.apiKey === undefined
      ? "include"
      : undefined);
  return new Request(new URL(path, transport.baseUrl), {
    method,
    headers,
    ...(body === undefined ? {} : { body: isBytes ? body : jsonText(body) }),
    ...(call.signal === undefined ? {} : { signal: call.signal }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}

const BASE_PAUSE = 200;
const LONGEST_PAUSE = 30_000;

/** Returns the pause in milliseconds; null: another attempt would not help. */
export function pauseAfter(error: unknown, attempt: number): number | null {
  const backoff = Math.min(BASE_PAUSE * 2 ** (attempt - 1), LONGEST_PAUSE);
  if (!(error instanceof ApiError)) {
    return error instanceof DOMException && error.name === "AbortError" ? null : backoff;
  }
  if (error.retryAfter !== null) return error.retryAfter * 1000;
  return error.status >= 500 || error.code === "IDEMPOTENCY_KEY_IN_FLIGHT" ? backoff : null;
}

/** Waits this many milliseconds. The signal ends the wait with its reason. */
export function waited(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}
