/** One request of the corpus, and its answer (contract 4, definitions 4.4). */
import { isJsonObject } from "../../shared/lib/json_object.ts";

/** Ways by which a masked value could come out. */
export const CHANNELS = [
  "list",
  "view",
  "filter",
  "sort",
  "search",
  "fields",
  "cursor",
  "aggregate",
  "include",
  "get",
  "etag",
  "refusal",
  "create",
  "update",
  "upsert",
  "delete",
  "batch",
  "conflict",
  "replay",
  "action",
  "changeset",
  "mcp",
  "description",
  "webhook",
  "realtime",
] as const;

export type Channel = typeof CHANNELS[number];

export interface Question {
  readonly channel: Channel;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** The masked column that it asks by; absent: none in particular. */
  readonly column?: string;
}

export interface RecordedAnswer {
  readonly status: number;
  /** Sorted by name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** An answer that goes on by itself, and was left before its end. */
  readonly isCut: boolean;
}

/** Yields one request after the other, each with the answers so far in mind. */
export type Corpus = Generator<Question, RecordedAnswer | void, RecordedAnswer>;

function textOf({ body }: RecordedAnswer): string {
  return new TextDecoder().decode(body);
}

/** The parsed body; an empty object where it is no JSON object. */
export function recordIn(heard: RecordedAnswer): Readonly<Record<string, unknown>> {
  const type = headerOf(heard, "content-type") ?? "";
  if (!/json/.test(type) || heard.body.length === 0) return {};
  const parsed: unknown = JSON.parse(textOf(heard));
  return isJsonObject(parsed) ? parsed : {};
}

export function headerOf({ headers }: RecordedAnswer, wanted: string): string | null {
  return headers.find(([name]) => name === wanted)?.[1] ?? null;
}
