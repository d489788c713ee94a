/** Reads a stream that may be longer than it should. */
import { joinedBytes } from "../../shared/lib/joined_bytes.ts";

/** All bytes; null when there are more than allowed, of which no more than that were read. */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return joinedBytes(chunks);
}
