/** Sends the page's requests to the API that `dev` serves: nowhere else, and in the name of the people whom `dev` made. */
import { API_ANSWER, type ApiAnswer, type ApiRequest } from "../protocol.ts";
import { PlaygroundRefusal } from "./request_body.ts";

/** One header that proves who asks. */
export interface Credential {
  readonly name: "authorization" | "cookie" | "x-api-key";
  readonly value: string;
}

export interface ApiAddress {
  readonly origin: string;
  /** Path of the stream of changes; null: the project has none. */
  readonly events: string | null;
  /** The credential of the person of that name, made when it is first asked for; null: there is nobody such. */
  readonly credential: (name: string) => Promise<Credential | null>;
  /** Header that asks the API's host for the statements of a request, and the one that it answers with; null: it has none. */
  readonly trace: {
    readonly name: string;
    readonly value: string;
    readonly answer: string;
  } | null;
}

/** The description of a large API is the longest of them. */
const ANSWER_MAX_BYTES = 8 * 1024 * 1024;
/** Streams of events never end by themselves: what has come until then is shown. */
const ANSWER_MILLISECONDS = 8_000;

/** Headers that a person may set; all others are the client's own. */
const SENT_HEADER =
  /^(?:accept|content-type|if-match|if-none-match|idempotency-key|prefer|x-[a-z0-9-]{1,60})$/;

export async function askApi(
  { as, method, path, headers, body }: ApiRequest,
  { origin, credential, trace }: ApiAddress,
): Promise<ApiAnswer> {
  // Behind the origin, a path that begins with "/" leads nowhere else, whatever follows.
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
      // Writes with a cookie are accepted from the API's own origin.
      ["origin", origin],
      ...proof,
      ...(trace === null ? [] : [[trace.name, trace.value] satisfies [string, string]]),
    ]),
    ...(body === null || method === "GET" ? {} : { body }),
  });
  const { text, isCut } = await readSome(response);
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) =>
      name !== "set-cookie" && name !== trace?.answer
    ),
    body: text,
    isCut,
    milliseconds: Math.round(performance.now() - since),
    statements: statementsOf(trace === null ? null : response.headers.get(trace.answer)),
  };
}

function statementsOf(told: string | null): ApiAnswer["statements"] {
  return told === null
    ? null
    : API_ANSWER.shape.statements.parse(JSON.parse(decodeURIComponent(told)));
}

/** The header that proves who asks; none for nobody. */
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
 * Asks, and refuses in words when nobody answers. A read goes twice where its connection ends: it may be one of the API that
 * another has just taken the place of.
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

/** As much as a page can show. */
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
