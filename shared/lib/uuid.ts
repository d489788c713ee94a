/** Random bytes as a version 4 UUID (RFC 9562, 5.4). */

/** Sixteen bytes, of which six bits say version and variant. */
export function uuid(bytes: Uint8Array): string {
  if (bytes.byteLength !== 16) throw new RangeError("A UUID has 16 bytes");
  const digits = bytes.toHex();
  const variant = (8 + (parseInt(digits.charAt(16), 16) & 3)).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join("-");
}
