/** Reads base64 that may be none. */

/** Null for a text that is no base64. */
export function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
