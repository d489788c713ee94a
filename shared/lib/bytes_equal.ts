/** Compares without ending at the first difference, so that the time taken does not tell where it is. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.byteLength ^ b.byteLength;
  for (let at = 0; at < a.byteLength; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}
