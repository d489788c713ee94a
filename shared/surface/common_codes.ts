/** Codes that operations of every kind may be refused with (contract 7.2). */
import type { RuntimeCode } from "../contract/codes.ts";

export const COMMON_CODES: readonly RuntimeCode[] = [
  "HOST_INVALID",
  "DATABASE_UNAVAILABLE",
  "INTERNAL_ERROR",
];

/** Codes of receiving a body, whatever is in it. */
export const RECEIVING_CODES: readonly RuntimeCode[] = ["PAYLOAD_TOO_LARGE", "REQUEST_TIMEOUT"];

/** Codes of reading a JSON body, before its content is judged. */
export const JSON_BODY_CODES: readonly RuntimeCode[] = [
  ...RECEIVING_CODES,
  "UNSUPPORTED_MEDIA_TYPE",
  "INVALID_JSON",
];
