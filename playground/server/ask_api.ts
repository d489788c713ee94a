/**
 * Sends the page's requests to the API that `dev` serves, and nowhere else, with the credentials of the people whom `dev`
 * created.
 */
import { API_ANSWER, type ApiAnswer, type ApiRequest } from "../protocol.ts";
import { PlaygroundRefusal } from "./request_body.ts";

/** Header that authenticates the caller. */
export interface Credential {
  readonly name: "authorization" | "cookie" | "x-api-key";
  readonly value: string;
}

export interface ApiAddress {
  readonly origin: string;
  /** Path of the stream of changes; null if the project has none. */
  readonly events: string | null;
  /** Returns the credential of the person with that name, created at the first call; null if there is no such person. */
  readonly credential: (name: string) => Promise<Credential | null>;
  /**
   * Header that requests the statements of a request from the API's host, and the header of the answer that lists them; null if
   * the host has none.
   */
  readonly trace: {
    readonly name: string;
    readonly value: string;
    readonly answer: string;
  } | null;
}

/** Maximum size of an answer. The longest answer is the description of a large API. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
/** Time limit of an answer. Event streams never end by themselves: the page shows what has arrived until then. */
const ANSWER_MILLISECONDS = 8_000;

/** Headers that a person may set; the HTTP client sets all others. */
const SENT_HEADER =
  /^(?:accept|content-type|if-match|if-none-match|idempotency-key|prefer|x-[a-z0-9-]{1,60})$/;

export async function askApi(
  { as, method, path, headers, body }: ApiRequest,
  { origin, credential, trace }: ApiAddress,
): Promise<ApiAnswer> {
  // A path that begins with "/" is appended to the origin, so it cannot lead to another host.
  const url = new URL(origin + path);
  const proof = await credentialOf(as, credential);
  const since = performance.now();
  const limit = AbortSignal.timeout(ANSWER_MILLISECONDS);
  const response = await sent(url, {
    method,
    redirect: "manual",
    signal: limit,
    headers: new Headers([
      ...headers.filter(([name]) => SENT_HEADER.test(name.toLowerCase())),
      // The API accepts writes with a cookie only from its own origin.
      ["origin", origin],
      ...proof,
      ...(trace === null ? [] : [[trace.name, trace.value] satisfies [string, string]]),
    ]),
    ...(body === null || method === "GET" ? {} : { body }),
  });
  const { text, isCut } = await readSome(response);
  const told = trace === null ? null : response.headers.get(trace.answer);
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) =>
      name !== "set-cookie" && name !== trace?.answer
    ),
    body: text,
    isCut,
    milliseconds: Math.round(performance.now() - since),
    statements: told === null
      ? null
      : API_ANSWER.shape.statements.parse(JSON.parse(decodeURIComponent(told))),
  };
}

/** Returns the header that authenticates the person; none if the caller is nobody. */
export async function credentialOf(
  as: string | null,
  credential: ApiAddress["credential"],
): Promise<readonly [string, string][]> {
  if (as === null) return [];
  const found = await credential(as);
  if (found) return [[found.name, found.value]];
  throw new PlaygroundRefusal("NO_SUCH_PERSON", "dev made nobody of that name");
}

/**
 * Sends the request; refuses with a message if nothing answers. A read is retried when its connection ends, because a new API
 * may just have replaced the one that was serving.
 */
export async function sent(url: URL, init: RequestInit, tries = 2): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    const isRead = (init.method ?? "GET") === "GET";
    if (isRead && error instanceof TypeError && tries > 1) return await sent(url, init, tries - 1);
    throw new PlaygroundRefusal(
      "API_UNREACHABLE",
      "The API did not answer; it may be starting again",
    );
  }
}

/** Reads as much of the body as a page can show. */
async function readSome(response: Response): Promise<{ text: string; isCut: boolean }> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      text += decoder.decode(chunk, { stream: true });
      if (size > ANSWER_MAX_BYTES) return { text, isCut: true };
    }
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
    return { text, isCut: true };
  }
  return { text: text + decoder.decode(), isCut: false };
}
