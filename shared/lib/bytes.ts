/** Functions over bytes: joining, hashing, comparing, reading with a limit, and converting to text. */
/** Joins the chunks of a stream. */
export function joinedBytes(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** Returns the SHA-256 of bytes, or of a text's UTF-8 bytes. */
export async function sha256(
  data: string | Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** Returns the SHA-256 in hexadecimal. */
export async function sha256Hex(data: string | Uint8Array<ArrayBuffer>): Promise<string> {
  return (await sha256(data)).toHex();
}

/** Decodes base64; null for a text outside of this alphabet. */
export function base64Bytes(
  text: string,
  alphabet: "base64" | "base64url" = "base64",
): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.fromBase64(text, { alphabet });
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Compares in constant time, so that the time does not reveal where the first difference is. */
export function bytesEqual(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.byteLength ^ b.byteLength;
  for (let at = 0; at < a.byteLength; at++) difference |= (a[at] ?? 0) ^ (b[at] ?? 0);
  return difference === 0;
}

/**
 * Decodes UTF-8; null for invalid bytes. A byte order mark at the beginning is removed, unless `keepsMark` is set because the
 * exact text was signed.
 */
export function utf8Text(
  bytes: Uint8Array,
  { keepsMark = false }: { readonly keepsMark?: boolean } = {},
): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Iterates over a stream on every platform, and cancels it when the reader stops. */
export async function* streamChunks(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Reads all bytes of a stream; null if there are more than allowed, in which case reading stops there. */
export async function readCapped(
  body: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return joinedBytes(chunks);
}
