/** Sends requests to the API that `dev` serves, as any client would: the demo account and its rows pass every layer. */
import type { Credential } from "../../../playground/mod.ts";
import { parsedJson } from "../../../shared/lib/json.ts";

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** Cookies that the answer set, as `name=value` pairs. */
  readonly cookies: readonly string[];
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Path with its query. */
  readonly path: string;
  /** Header that authenticates the caller; null: anonymous. */
  readonly credential: Credential | null;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Error of an answer that the demo cannot use; the API itself continues. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}

export type ApiClient = (request: ApiRequest) => Promise<Answer>;

const TIMEOUT_MILLISECONDS = 15_000;

/** Creates a client. `origin` has no trailing slash. */
export function createApiClient(origin: string): ApiClient {
  return async ({ method, path, credential, body }) => {
    const response = await send(origin + path, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      headers: {
        ...(credential ? { [credential.name]: credential.value } : {}),
        // The API accepts writes with a cookie only from its own origin.
        origin,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return await answerOf(response);
  };
}

export async function answerOf(response: Response): Promise<Answer> {
  return {
    status: response.status,
    json: parsedJson(await response.text()),
    cookies: response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? ""),
  };
}

async function send(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    // A refused, reset or slow connection: the API that was just started is no longer there.
    if (error instanceof TypeError || error instanceof DOMException) {
      throw new DemoError(`The API did not answer: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** Returns a member of a JSON object; undefined if there is none. Answers are not trusted to have a given form. */
export function member(value: unknown, ...path: readonly string[]): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) {
      return undefined;
    }
    current = Object.getOwnPropertyDescriptor(current, name)?.value;
  }
  return current;
}

/** Returns the text at that place; null for any other value. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = member(value, ...path);
  return typeof found === "string" ? found : null;
}

/** Returns the `id` of a record: a text, or a number if the project numbers its records. */
export function idOf(record: unknown): string | null {
  const id = member(record, "id");
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}
