/** Talks to the API that `dev` serves, as any client would: the demo account and its rows go through every layer. */
import type { Credential } from "../../../playground/mod.ts";
import { parsedJson } from "../../../shared/lib/json.ts";

export interface Answer {
  readonly status: number;
  readonly json: unknown;
  /** `name=value` pairs of the cookies that it set. */
  readonly cookies: readonly string[];
}

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With its query. */
  readonly path: string;
  /** One header that proves who asks; null: nobody. */
  readonly credential: Credential | null;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** The API did not answer as the demo needs it; the API itself serves on. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}

export type ApiClient = (request: ApiRequest) => Promise<Answer>;

const TIMEOUT_MILLISECONDS = 15_000;

/** `origin` without a trailing slash. */
export function createApiClient(origin: string): ApiClient {
  return async ({ method, path, credential, body }) => {
    const response = await send(origin + path, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
      headers: {
        ...(credential ? { [credential.name]: credential.value } : {}),
        // Writes with a cookie are accepted from the API's own origin.
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
    // Refused, reset or too slow: it is no longer the API that was just started.
    if (error instanceof TypeError || error instanceof DOMException) {
      throw new DemoError(`The API did not answer: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** A member of a JSON object, undefined where there is none: answers are not ours to trust. */
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

/** The text at that place, null for anything else. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = member(value, ...path);
  return typeof found === "string" ? found : null;
}

/** The `id` of a record: text, or a number where the project counts. */
export function idOf(record: unknown): string | null {
  const id = member(record, "id");
  return typeof id === "string" || typeof id === "number" ? String(id) : null;
}
