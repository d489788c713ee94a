/** Masks values: the last layer, after which a caller sees them (definitions 4.4). */
import { maskRecord } from "../../../contract/mod.ts";
import type { MaskType } from "../../../model/mod.ts";

/** Returns the mask of a value in its text form. */
export function maskValue(type: MaskType, text: string): string {
  return maskRecord(type).mask(text);
}
