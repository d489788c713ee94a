/** The last layer: a masked value as its caller sees it (definitions 4.4). */
import { maskRecord } from "../../../contract/mod.ts";
import type { MaskType } from "../../../model/mod.ts";

/** The mask of a value in its text form. */
export function maskValue(type: MaskType, text: string): string {
  return maskRecord(type).mask(text);
}
