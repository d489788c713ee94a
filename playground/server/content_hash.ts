/** Identifies a version of a file: the SHA-256 of its text, in hexadecimal. */

export async function contentHash(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}
