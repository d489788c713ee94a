/**
 * Hexadecimal text of bytes, written without newer platform functions, because the types of authors' projects include this
 * file.
 */

/** Returns bytes in lower-case hexadecimal. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Decodes pairs of hexadecimal digits. Throws for any other text. */
export function hexBytes(digits: string): Uint8Array<ArrayBuffer> {
  if (!/^(?:[0-9a-f]{2})*$/i.test(digits)) throw new Error("Bytes are two hexadecimal digits each");
  const bytes = new Uint8Array(digits.length / 2);
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = parseInt(digits.slice(2 * at, 2 * at + 2), 16);
  }
  return bytes;
}
