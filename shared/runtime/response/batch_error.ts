/** The refusal of one record of a batch: flat, one of the three bodies that are no problem document (contract 2.6). */
import { type Layer, RUNTIME_CODES, type RuntimeCode } from "../../contract/codes.ts";
import type { JsonValue } from "../../model/column.ts";
import type { Refusal } from "../refusal.ts";

interface BatchError {
  readonly error: string;
  readonly layer: Layer;
  readonly code: RuntimeCode;
  /** Empty where there is nothing to add. */
  readonly details: Readonly<Record<string, JsonValue>>;
  readonly hint: string;
}

export function batchError({ code, options }: Refusal): BatchError {
  const { title, layer } = RUNTIME_CODES[code];
  return {
    error: options.detail ?? title,
    layer,
    code,
    details: options.details ?? {},
    hint: options.hint ?? RUNTIME_CODES[code].hint,
  };
}
