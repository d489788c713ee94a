/** The batch envelope (contract 2.6): what was written, what was refused, and five numbers and flags. */
import { batchError } from "../../response/refused.ts";
import { jsonResponse } from "../../response/record.ts";
import type { Batch, Failure, Item } from "./batch.ts";

interface BatchResult {
  /** As JSON texts. */
  readonly written: readonly Item<string>[];
  readonly transactional: boolean;
  /** When nothing failed. */
  readonly status: 200 | 201;
}

/** 207 as soon as one record failed, all of them included (definitions 7, "statuses"). */
export function batchResponse(
  batch: Batch,
  { written, transactional, status }: BatchResult,
): Response {
  const success = [...written].sort((one, other) => one.index - other.index)
    .map(({ value }) => value);
  const meta = batch.meta(transactional);
  const json = `{"success":[${success.join(",")}],` +
    `"errors":${JSON.stringify(batch.failures.map((failure) => errorItem(batch, failure)))},` +
    `"meta":${JSON.stringify(meta)}}`;
  return jsonResponse(json, meta.failed === 0 ? status : 207);
}

function errorItem({ member }: Batch, { index, entry, refusal }: Failure) {
  const error = batchError(refusal);
  return member === "ids" ? { index, id: entry, error } : { index, record: entry, error };
}
