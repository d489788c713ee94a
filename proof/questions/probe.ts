/** One request of one class of callers, and what must come back (contract 4.7, `conformance.manifest.json`). */
import { RUNTIME_CODES, type RuntimeCode } from "../../shared/contract/codes.ts";
import type { JsonValue } from "../../shared/model/column.ts";
import type { Condition } from "../../shared/model/predicate.ts";
import type { TableModel } from "../../shared/model/table.ts";
import type { DecidingLayer } from "../../shared/oracle/explain.ts";
import type { ExpectedRecord } from "./expected_record.ts";

export interface ProbeRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Sent as JSON; a text is sent as it is. Undefined: none. */
  readonly body?: JsonValue;
}

/** The rule that decides, and its place. */
export interface Because {
  /** For people: `role admin`, `organizationId equals ctx.activeOrgId`. */
  readonly text: string;
  /** The comparison that failed; null: the rule as a whole. */
  readonly failed: Condition | null;
  readonly layer: DecidingLayer | null;
}

export interface Probe {
  readonly operationId: string;
  /** Name of the class. */
  readonly principal: string;
  /** The purpose of the request, in words: `read the row "deleted"`. */
  readonly purpose: string;
  readonly request: ProbeRequest;
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

/** Foreign key → id → record. */
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
