/**
 * Types of one request of one class of callers, of the expected answer where the definitions predict one, and of the real
 * answer (contract 4.7, definitions 4.4).
 */
import { RUNTIME_CODES, type RuntimeCode } from "../../shared/contract/mod.ts";
import { isJsonObject } from "../../shared/lib/json.ts";
import type { Condition, JsonValue, RowPredicate, TableModel } from "../../shared/model/mod.ts";
import type { DecidingLayer } from "../../shared/oracle/explain.ts";
import type { ExpectedRecord } from "./expected_record.ts";

/** Ways by which a masked value could be revealed. */
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
  "file",
  "etag",
  "refusal",
  "create",
  "update",
  "upsert",
  "delete",
  "restore",
  "history",
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
  /** Path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body, sent as JSON; a text is sent unchanged. Undefined: none. */
  readonly body?: JsonValue;
  /** Masked column that the question filters or sorts by; absent: none in particular. */
  readonly column?: string;
}

/** Rule that decides, with its place. */
export interface Because {
  /** Text for people: `role admin`, `organizationId equals ctx.activeOrgId`. */
  readonly text: string;
  /** Comparison that failed; null: the rule as a whole. */
  readonly failed: Condition | RowPredicate | null;
  readonly layer: DecidingLayer | null;
}

/** Question whose answer the definitions predict. */
export interface Probe extends Question {
  readonly operationId: string;
  /** Name of the caller's class. */
  readonly principal: string;
  /** Purpose of the request, in words: `read the row "deleted"`. */
  readonly purpose: string;
  readonly expected: Expectation;
  readonly because: Because;
  /** True for a trial: of all trials of a route, by any caller, at least one must succeed. */
  readonly isTrial: boolean;
  /** Table of the records that the request creates; null: it creates none. */
  readonly creates: TableModel | null;
}

export type Expectation =
  /** Problem with this code. */
  | {
    readonly kind: "refused";
    readonly code: RuntimeCode;
    /** Pointer of the problem; null: it is not compared. */
    readonly pointer: string | null;
  }
  /** Refusal in a form that is not the service's: the account library's, or an author's own. */
  | { readonly kind: "status"; readonly status: number; readonly code: string | null }
  | ExpectedPage
  | {
    readonly kind: "record";
    readonly statuses: readonly number[];
    readonly record: ExpectedRecord;
    readonly included: ExpectedIncluded | null;
  }
  /** JSON body that equals this one. */
  | { readonly kind: "body"; readonly status: number; readonly body: JsonValue }
  | ExpectedBatch
  /** Any answer that does not refuse the caller for their identity or for the fields they write. */
  | { readonly kind: "admitted" };

export interface ExpectedPage {
  readonly kind: "page";
  readonly view: string | null;
  /** Expected records by id as text. */
  readonly records: ReadonlyMap<string, ExpectedRecord>;
  /** Column that identifies a record; null: the answer has none, and records are compared as a set. */
  readonly key: string | null;
  /** True when the answer may contain no other record; otherwise only the seeds are searched for. */
  readonly isExact: boolean;
  /** Expected aggregations by name; null: they are not compared. */
  readonly aggregations: Readonly<Record<string, JsonValue>> | null;
  readonly included: ExpectedIncluded | null;
}

/**
 * Maps a foreign key to records by id. For rows that refer to a record it maps their name to records by `<its id>/<their id>`.
 */
export type ExpectedIncluded = ReadonlyMap<string, ReadonlyMap<string, ExpectedRecord>>;

export interface ExpectedBatch {
  readonly kind: "batch";
  readonly status: number;
  readonly success: readonly ExpectedRecord[];
  readonly errors: readonly { readonly index: number; readonly code: RuntimeCode }[];
}

export function refused(code: RuntimeCode, pointer: string | null = null): Expectation {
  return { kind: "refused", code, pointer };
}

export function statusOf(code: RuntimeCode): number {
  return RUNTIME_CODES[code].status;
}

export interface RecordedAnswer {
  readonly status: number;
  /** Headers sorted by name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** True for an endless answer whose reading was stopped. */
  readonly isCut: boolean;
}

/** Answer to a question that was left out. */
export const UNASKED: RecordedAnswer = {
  status: 0,
  headers: [],
  body: new Uint8Array(),
  isCut: false,
};

export function isProbe(question: Question | Probe): question is Probe {
  return "expected" in question;
}

/** Yields requests one after the other; each may depend on the answers so far. */
export type Corpus = Generator<Question, RecordedAnswer | void, RecordedAnswer>;

/** Returns the parsed body; an empty object if it is not a JSON object. */
export function recordIn(heard: RecordedAnswer): Readonly<Record<string, unknown>> {
  const type = headerOf(heard, "content-type") ?? "";
  if (!/json/.test(type) || heard.body.length === 0) return {};
  const parsed: unknown = JSON.parse(new TextDecoder().decode(heard.body));
  return isJsonObject(parsed) ? parsed : {};
}

export function headerOf({ headers }: RecordedAnswer, wanted: string): string | null {
  return headers.find(([name]) => name === wanted)?.[1] ?? null;
}
