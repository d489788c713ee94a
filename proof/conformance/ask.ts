/** Sends one request and reads its answer; a list is read to its end, a stream is let go (contract 2.5, 6.3). */
import { parsedJson } from "../../shared/lib/json.ts";
import type { JsonValue } from "../../shared/model/mod.ts";
import { type Answer, memberOf } from "./compare_answer.ts";

export interface ConformanceApi {
  /** `http://localhost:8000`, without a slash at its end. */
  readonly origin: string;
  fetch(request: Request): Promise<Response>;
  /** Waits for as many milliseconds: a rate limit asks for it. */
  wait(milliseconds: number): Promise<void>;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonValue;
  readonly headers: Readonly<Record<string, string>>;
}

interface FullAnswer extends Answer {
  readonly headers: Headers;
}

const PAGES_MAX = 100;
const LIMITED_TRIES_MAX = 3;
const RETRY_SECONDS = 60;

export function createAsk(api: ConformanceApi): (sent: SentRequest) => Promise<FullAnswer> {
  return async (sent) => {
    const first = await answered(api, sent);
    return { ...first, body: await wholeList(api, sent, first.body) };
  };
}

async function answered(api: ConformanceApi, sent: SentRequest): Promise<FullAnswer> {
  for (let tries = 1;; tries += 1) {
    const response = await api.fetch(requestOf(api, sent));
    const answer = {
      status: response.status,
      headers: response.headers,
      body: await bodyOf(response),
    };
    if (answer.status !== 429 || tries === LIMITED_TRIES_MAX) return answer;
    const seconds = Number(response.headers.get("retry-after") ?? RETRY_SECONDS);
    await api.wait(seconds * 1000);
  }
}

function requestOf(
  { origin }: ConformanceApi,
  { method, path, body, headers }: SentRequest,
): Request {
  const sent = typeof body === "string" ? body : JSON.stringify(body);
  return new Request(origin + path, {
    method,
    headers: {
      ...headers,
      accept: "application/json, text/event-stream, */*",
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
}

/** Undefined: it is no JSON. */
async function bodyOf(response: Response): Promise<unknown> {
  if (!/json/.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    return undefined;
  }
  return parsedJson(await response.text());
}

/** Further pages join the first one. */
async function wholeList(api: ConformanceApi, sent: SentRequest, first: unknown): Promise<unknown> {
  const data = memberOf(first, "data");
  if (!Array.isArray(data) || typeof first !== "object") return first;
  const all: unknown[] = [...data];
  let cursor = nextCursor(first);
  for (let page = 1; cursor !== null && page < PAGES_MAX; page += 1) {
    const url = new URL(sent.path, api.origin);
    url.searchParams.set("starting_after", cursor);
    const next = await answered(api, { ...sent, path: url.pathname + url.search });
    const more = memberOf(next.body, "data");
    all.push(...Array.isArray(more) ? more : []);
    cursor = nextCursor(next.body);
  }
  return { ...first, data: all };
}

function nextCursor(body: unknown): string | null {
  const cursor = memberOf(memberOf(body, "pagination"), "nextCursor");
  return typeof cursor === "string" ? cursor : null;
}
