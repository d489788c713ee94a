/** SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
import { hex } from "../../shared/lib/bytes.ts";

export async function sha256Hex(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return hex(new Uint8Array(digest));
}
