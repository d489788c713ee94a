/**
 * Bytes as the text that they encode; null where they are no UTF-8. A byte order mark at the beginning is left out, unless
 * `keepsMark` says that the text must be what was signed.
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
