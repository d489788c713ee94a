/**
 * Carries the records of a batch through the steps (contract 4.1 rules 6 and 7): each step passes some records on, and the
 * refusals of the others are kept. With `failFast` one refusal ends the whole request with `BATCH_FAIL_FAST_STOPPED`.
 */
import { RUNTIME_CODES } from "../../../contract/mod.ts";
import { isJsonObject, type JsonObject, pointerTo } from "../../../lib/json.ts";
import type { NamedScope, RowRule } from "../../../surface/mod.ts";
import { requireOrganization, requireOwnScopes } from "../../layers/3-firewall/firewall.ts";
import { requireRole } from "../../layers/4-access/require_role.ts";
import type { BatchRequest } from "../../layers/6-validation/require_body.ts";
import { requireBatch, requireWriteQuery } from "../../layers/6-validation/require_body.ts";
import type { SqlValue } from "../../ports.ts";
import { Refusal, refuse, refuseMember } from "../../refusal.ts";
import { jsonResponse } from "../../response/record.ts";
import { batchError } from "../../response/refused.ts";
import { authoredRefusal } from "../../authored/authored_refusal.ts";
import { authoredItem } from "../actions/action_response.ts";
import { type Call, enter } from "../call.ts";

/** One record, with the value that the steps so far have made of it. */
export interface Item<Value> {
  readonly index: number;
  readonly value: Value;
}

interface Failure {
  readonly index: number;
  /** The record or the id as the request contains it. */
  readonly entry: unknown;
  /** The error as the answer shows it. */
  readonly error: Readonly<Record<string, unknown>>;
}

/** The `meta` of a batch: exactly these members (contract 2.6). */
interface BatchMeta {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly failFast: boolean;
  readonly transactional: boolean;
}

export class Batch {
  readonly #request: BatchRequest;
  readonly #call: Pick<Call, "request">;
  readonly #failures = new Map<number, Failure>();

  constructor(request: BatchRequest, call: Pick<Call, "request">) {
    this.#request = request;
    this.#call = call;
  }

  /** Every entry as the request contains it. */
  get items(): readonly Item<unknown>[] {
    return this.#request.entries.map((value, index) => ({ index, value }));
  }

  get member(): BatchRequest["member"] {
    return this.#request.member;
  }

  get failFast(): boolean {
    return this.#request.failFast;
  }

  hasFailed(index: number): boolean {
    return this.#failures.has(index);
  }

  /** The refusals, in the order of the request. */
  get failures(): readonly Failure[] {
    return [...this.#failures.values()].sort((one, other) => one.index - other.index);
  }

  /** Returns the records that a step does not refuse, with the values that the step made of them. */
  sift<In, Out>(
    items: readonly Item<In>[],
    judge: (value: In, item: Item<In>) => Out,
  ): readonly Item<Out>[] {
    return items.flatMap((item) => {
      try {
        return [{ index: item.index, value: judge(item.value, item) }];
      } catch (error) {
        this.fail(item.index, error);
        return [];
      }
    });
  }

  /** Keeps the error that refused a record; any error but the refusal of a caller's mistake ends the request. */
  fail(index: number, error: unknown): void {
    const entry = this.#request.entries[index];
    this.#failures.set(index, { index, entry, error: this.#shown(error) });
  }

  #shown(error: unknown): Failure["error"] {
    const authored = error instanceof Refusal ? null : authoredRefusal(error);
    if (authored) return authoredItem(authored, this.#call);
    if (!(error instanceof Refusal) || RUNTIME_CODES[error.code].status >= 500) throw error;
    return { ...batchError(error) };
  }

  /** Ends a request with `failFast` at the first record that was refused; inside a transaction that undoes all of it. */
  stopIfFailed(): void {
    const [first] = this.failures;
    if (!this.failFast || !first) return;
    const meta = { ...this.meta(true), succeeded: 0 };
    refuseStopped(this.member, first.index, first.error, meta);
  }

  meta(transactional: boolean): BatchMeta {
    const total = this.#request.entries.length;
    const failed = this.#failures.size;
    return { total, succeeded: total - failed, failed, failFast: this.failFast, transactional };
  }
}

/** An entry of a batch update or upsert, with its id apart. */
interface Named {
  readonly id: SqlValue;
  /** All other members of the entry. */
  readonly fields: JsonObject;
}

/**
 * Returns the records that the entries of a batch name by id; the batch's body was checked for the presence and type of the
 * ids. Each record counts once: the first entry of an id is taken, the others are refused.
 */
export function namedRecords({ plan: { table } }: Call, batch: Batch): readonly Item<Named>[] {
  const { primaryKey } = table;
  const seen = new Map<SqlValue, number>();
  return batch.sift(batch.items, (entry, { index }) => {
    const { [primaryKey]: id, ...fields } = requireObject(entry);
    return { id: requireFirst(idOf(id), index, seen, primaryKey), fields };
  });
}

/** Returns the ids of a batch delete, each once. */
export function namedIds({ plan: { table } }: Call, batch: Batch): readonly Item<SqlValue>[] {
  const seen = new Map<SqlValue, number>();
  return batch.sift(
    batch.items,
    (entry, { index }) => requireFirst(idOf(entry), index, seen, table.primaryKey),
  );
}

/** Returns the record of a batch create as an object; refuses anything else. */
export function requireObject(entry: unknown): JsonObject {
  if (isJsonObject(entry)) return entry;
  return refuse("VALIDATION_ERROR", { detail: "A record must be an object" });
}

function idOf(value: unknown): string | number {
  if (typeof value === "string" || typeof value === "number") return value;
  throw new Error("The ids of a batch are checked before its records");
}

function requireFirst(
  id: SqlValue,
  index: number,
  seen: Map<SqlValue, number>,
  primaryKey: string,
): SqlValue {
  const first = seen.get(id);
  if (first !== undefined) refuseMember([primaryKey], `Is the id of record ${first} already`);
  seen.set(id, index);
  return id;
}

/** Ends a request with `failFast` at its first record that was refused. */
export function refuseStopped(
  member: BatchRequest["member"],
  index: number,
  error: Readonly<Record<string, unknown>>,
  meta: BatchMeta,
): never {
  const reason = String(error["error"]);
  return refuse("BATCH_FAIL_FAST_STOPPED", {
    detail: `Record ${index} was refused: ${reason}`,
    pointer: pointerTo(member, index),
    details: {
      failedAt: index,
      reason,
      errorDetails: JSON.parse(JSON.stringify(error)),
      meta: { ...meta },
    },
  });
}

/**
 * Builds the batch envelope (contract 2.6): JSON texts of the written records, the refusals, and five numbers and flags. The
 * status is 207 as soon as one record failed, even when all did (definitions 7, "statuses"); else it is `status`.
 */
export function batchEnvelope(
  success: readonly string[],
  errors: readonly object[],
  meta: BatchMeta,
  status: 200 | 201,
): Response {
  const json = `{"success":[${success.join(",")}],"errors":${JSON.stringify(errors)},` +
    `"meta":${JSON.stringify(meta)}}`;
  return jsonResponse(json, meta.failed === 0 ? status : 207);
}

/** Builds the envelope of a batch of records. */
export function batchResponse(
  batch: Batch,
  { written, transactional, status }: {
    /** The written records as JSON texts. */
    readonly written: readonly Item<string>[];
    readonly transactional: boolean;
    /** The status when nothing failed. */
    readonly status: 200 | 201;
  },
): Response {
  const success = [...written].sort((one, other) => one.index - other.index)
    .map(({ value }) => value);
  const meta = batch.meta(transactional);
  const errors = batch.failures.map(({ index, entry, error }) =>
    batch.member === "ids" ? { index, id: entry, error } : { index, record: entry, error }
  );
  return batchEnvelope(success, errors, meta, status);
}

interface OpenedBatch {
  /** The rule for each row. */
  readonly rule: RowRule | null;
  readonly scope: NamedScope | null;
  readonly batch: Batch;
}

/**
 * Opens a batch with the checks made once, before any of its records is judged (contract 1.3, 4.1 rule 6): the caller, the
 * limit, the role, the batch itself.
 */
export async function openBatch(call: Call): Promise<OpenedBatch> {
  const { request, plan } = call;
  enter(call, "access.role");
  requireOrganization(plan, request.principal);
  const rule = requireRole(plan.operation, request.principal);

  // A batch upsert judges own scopes before its body, as a single PUT does; a create judges the body first.
  if (plan.operation.kind === "batchUpsert") requireOwnScopes(plan.table, request.principal);

  enter(call, "validation");
  const batch = new Batch(requireBatch(plan, await request.body.object()), call);
  const { scope } = requireWriteQuery(plan.query, request);
  return { rule, scope, batch };
}
