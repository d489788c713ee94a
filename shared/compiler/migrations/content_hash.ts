/** Names that follow from content, so that two compiles of one input agree. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** SHA-256 of the text's UTF-8 bytes, in hexadecimal. */
export function contentHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The same as a UUID of version 8: "custom" in RFC 9562. */
export function contentUuid(text: string): string {
  const hex = contentHash(text);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}

/** True for a UUID of the version that `contentUuid()` makes. */
export function isContentUuid(id: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-/.test(id);
}
