/** Sends the page's requests to the API that `dev` serves: nowhere else, and in the name of the people whom `dev` made. */
import type { ApiAnswer, ApiRequest } from "../protocol.ts";
import { PlaygroundRefusal } from "./request_body.ts";

/** One header that proves who asks. */
interface Credential {
  readonly name: "authorization" | "cookie";
  readonly value: string;
}

export interface ApiAddress {
  readonly origin: string;
  readonly credentials: ReadonlyMap<string, Credential>;
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
  { origin, credentials }: ApiAddress,
): Promise<ApiAnswer> {
  // Behind the origin, a path that begins with "/" leads nowhere else, whatever follows.
  const url = new URL(origin + path);
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
      ...credentialOf(as, credentials),
    ]),
    ...(body === null || method === "GET" ? {} : { body }),
  });
  const { text, isCut } = await readSome(response);
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== "set-cookie"),
    body: text,
    isCut,
    milliseconds: Math.round(performance.now() - since),
  };
}

function credentialOf(
  as: string | null,
  credentials: ApiAddress["credentials"],
): readonly [string, string][] {
  if (as === null) return [];
  const credential = credentials.get(as);
  if (credential) return [[credential.name, credential.value]];
  throw new PlaygroundRefusal("NO_SUCH_PERSON", "dev made nobody of that name");
}

async function sent(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
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
