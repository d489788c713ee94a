/** Sends one request and reads its answer. A list is read to its end; a stream is cancelled (contract 2.5, 6.3). */
import { isJsonObject, parsedJson } from "../../shared/lib/json.ts";
import type { JsonValue } from "../../shared/model/mod.ts";
import { type Answer, memberOf } from "./compare_answer.ts";

export interface ConformanceApi {
  /** Origin such as `http://localhost:8000`, without a slash at its end. */
  readonly origin: string;
  fetch(request: Request): Promise<Response>;
  /** Waits for the time that a rate limit requires. */
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

/** Parses the body; undefined if it is not JSON. */
async function bodyOf(response: Response): Promise<unknown> {
  if (!/json/.test(response.headers.get("content-type") ?? "")) {
    await response.body?.cancel();
    return undefined;
  }
  return parsedJson(await response.text());
}

/** Reads the further pages of a list and appends them to the first: their records, their embeds, and their counts. */
async function wholeList(api: ConformanceApi, sent: SentRequest, first: unknown): Promise<unknown> {
  const data = memberOf(first, "data");
  if (!Array.isArray(data) || typeof first !== "object") return first;
  const pages: unknown[] = [first];
  let cursor = nextCursor(first);
  while (cursor !== null && pages.length < PAGES_MAX) {
    const url = new URL(sent.path, api.origin);
    url.searchParams.set("starting_after", cursor);
    const next = await answered(api, { ...sent, path: url.pathname + url.search });
    pages.push(next.body);
    cursor = nextCursor(next.body);
  }
  if (pages.length === 1) return first;
  const counts = pages.map((page) => memberOf(memberOf(page, "pagination"), "count"));
  return {
    ...first,
    data: pages.flatMap((page) => listIn(memberOf(page, "data"))),
    included: joined(pages.map((page) => memberOf(page, "included"))),
    pagination: {
      ...objectIn(memberOf(first, "pagination")),
      count: counts.reduce<number>((sum, count) => sum + Number(count), 0),
    },
  };
}

/** Merges the embeds of pages by relation and id; undefined: no page embeds anything. */
function joined(pages: readonly unknown[]): unknown {
  if (pages[0] === undefined) return undefined;
  const all: Record<string, Record<string, unknown>> = {};
  for (const [relation, records] of pages.flatMap((page) => Object.entries(objectIn(page)))) {
    all[relation] = { ...all[relation], ...objectIn(records) };
  }
  return all;
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function objectIn(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {};
}

function nextCursor(body: unknown): string | null {
  const cursor = memberOf(memberOf(body, "pagination"), "nextCursor");
  return typeof cursor === "string" ? cursor : null;
}
