/**
 * The records of a batch on their way through the steps (contract 4.1 rules 6 and 7): each step lets some pass, and what
 * refuses the others is kept. With `failFast` one refusal ends the whole request with `BATCH_FAIL_FAST_STOPPED`.
 */
import { RUNTIME_CODES } from "../../../contract/codes.ts";
import { pointerTo } from "../../../lib/json_pointer.ts";
import type { BatchRequest } from "../../layers/6-validation/require_batch.ts";
import { Refusal, refuse } from "../../refusal.ts";
import { batchError } from "../../response/refused.ts";

/** One record, and what the steps so far have made of it. */
export interface Item<Value> {
  readonly index: number;
  readonly value: Value;
}

export interface Failure {
  readonly index: number;
  /** The record or id as it came. */
  readonly entry: unknown;
  readonly refusal: Refusal;
}

/** Contract 2.6: exactly these members. */
interface BatchMeta {
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly failFast: boolean;
  readonly transactional: boolean;
}

export class Batch {
  readonly #request: BatchRequest;
  readonly #failures = new Map<number, Failure>();

  constructor(request: BatchRequest) {
    this.#request = request;
  }

  /** Every entry as it came. */
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

  /** In the order of the request. */
  get failures(): readonly Failure[] {
    return [...this.#failures.values()].sort((one, other) => one.index - other.index);
  }

  /** Those that a step does not refuse, with what it made of them. */
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

  /** Keeps what refused a record; anything but the refusal of a caller's mistake ends the request. */
  fail(index: number, error: unknown): void {
    if (!(error instanceof Refusal) || RUNTIME_CODES[error.code].status >= 500) throw error;
    this.#failures.set(index, { index, entry: this.#request.entries[index], refusal: error });
  }

  /** With `failFast`, ends the request at the first record that was refused; inside a transaction that undoes it. */
  stopIfFailed(): void {
    const [first] = this.failures;
    if (!this.failFast || !first) return;
    const error = batchError(first.refusal);
    const meta = { ...this.meta(true), succeeded: 0 };
    refuse("BATCH_FAIL_FAST_STOPPED", {
      detail: `Record ${first.index} was refused: ${error.error}`,
      pointer: pointerTo(this.member, first.index),
      details: {
        failedAt: first.index,
        reason: error.error,
        errorDetails: { ...error },
        meta: { ...meta },
      },
    });
  }

  meta(transactional: boolean): BatchMeta {
    const total = this.#request.entries.length;
    const failed = this.#failures.size;
    return { total, succeeded: total - failed, failed, failFast: this.failFast, transactional };
  }
}
