/**
 * One request of one class of callers, what must come back where the definitions foretell it, and what came (contract 4.7,
 * definitions 4.4).
 */
import { RUNTIME_CODES, type RuntimeCode } from "../../shared/contract/mod.ts";
import { isJsonObject } from "../../shared/lib/json.ts";
import type { Condition, JsonValue, RowPredicate, TableModel } from "../../shared/model/mod.ts";
import type { DecidingLayer } from "../../shared/oracle/explain.ts";
import type { ExpectedRecord } from "./expected_record.ts";

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
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a text is sent as it is. Undefined: none. */
  readonly body?: JsonValue;
  /** The masked column that it asks by; absent: none in particular. */
  readonly column?: string;
}

/** The rule that decides, and its place. */
export interface Because {
  /** For people: `role admin`, `organizationId equals ctx.activeOrgId`. */
  readonly text: string;
  /** The comparison that failed; null: the rule as a whole. */
  readonly failed: Condition | RowPredicate | null;
  readonly layer: DecidingLayer | null;
}

/** A question whose answer the definitions foretell. */
export interface Probe extends Question {
  readonly operationId: string;
  /** Name of the class. */
  readonly principal: string;
  /** The purpose of the request, in words: `read the row "deleted"`. */
  readonly purpose: string;
  readonly expected: Expectation;
  readonly because: Because;
  /** Of all trials of a route, whoever makes them, one must succeed. */
  readonly isTrial: boolean;
  /** Table of the records that the request creates; null: it creates none. */
  readonly creates: TableModel | null;
}

export type Expectation =
  /** A problem with this code. */
  | {
    readonly kind: "refused";
    readonly code: RuntimeCode;
    /** Null: not looked at. */
    readonly pointer: string | null;
  }
  /** Refused in a form of somebody else's: the account library's, an author's own. */
  | { readonly kind: "status"; readonly status: number; readonly code: string | null }
  | ExpectedPage
  | {
    readonly kind: "record";
    readonly statuses: readonly number[];
    readonly record: ExpectedRecord;
    readonly included: ExpectedIncluded | null;
  }
  /** A JSON body that equals this one. */
  | { readonly kind: "body"; readonly status: number; readonly body: JsonValue }
  | ExpectedBatch
  /** Any answer that does not refuse the caller for their identity or for the fields they write. */
  | { readonly kind: "admitted" };

export interface ExpectedPage {
  readonly kind: "page";
  readonly view: string | null;
  /** By id as text. */
  readonly records: ReadonlyMap<string, ExpectedRecord>;
  /** Column that names a record; null: the answer has none, and records are compared as a set. */
  readonly key: string | null;
  /** Nothing else may be there; else only the seeds are looked for. */
  readonly isExact: boolean;
  /** By name; null: not looked at. */
  readonly aggregations: Readonly<Record<string, JsonValue>> | null;
  readonly included: ExpectedIncluded | null;
}

/** Foreign key → id → record; of rows that refer to a record: their name → `<its id>/<their id>` → record. */
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
  /** Sorted by name. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** An answer that goes on by itself, and was left before its end. */
  readonly isCut: boolean;
}

/** The answer to a question that was left out. */
export const UNASKED: RecordedAnswer = {
  status: 0,
  headers: [],
  body: new Uint8Array(),
  isCut: false,
};

export function isProbe(question: Question | Probe): question is Probe {
  return "expected" in question;
}

/** Yields one request after the other, each with the answers so far in mind. */
export type Corpus = Generator<Question, RecordedAnswer | void, RecordedAnswer>;

/** The parsed body; an empty object where it is no JSON object. */
export function recordIn(heard: RecordedAnswer): Readonly<Record<string, unknown>> {
  const type = headerOf(heard, "content-type") ?? "";
  if (!/json/.test(type) || heard.body.length === 0) return {};
  const parsed: unknown = JSON.parse(new TextDecoder().decode(heard.body));
  return isJsonObject(parsed) ? parsed : {};
}

export function headerOf({ headers }: RecordedAnswer, wanted: string): string | null {
  return headers.find(([name]) => name === wanted)?.[1] ?? null;
}
