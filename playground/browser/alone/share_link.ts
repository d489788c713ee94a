/**
 * Writes projects into the fragment of an address, which browsers do not send to servers: as compressed JSON in base64url.
 * Reads them back.
 */
import { z } from "zod";
import { parsedJson } from "../../../shared/lib/json.ts";

const MARK = "project=";
const FILES = z.record(z.string(), z.string());

/** Maximum length of an address that every browser accepts, in characters. */
export const LINK_MAX = 60_000;
/** Maximum size of an unpacked project: a small text may unpack to a large one. */
const UNPACKED_MAX_BYTES = 4 * 1024 * 1024;

export async function linkFragment(files: Readonly<Record<string, string>>): Promise<string> {
  const stream = new Blob([JSON.stringify(files)]).stream()
    .pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return `#${MARK}${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

/** Reads the project in the fragment; null if the fragment contains no readable project. */
export async function linkedFiles(
  fragment: string,
): Promise<Readonly<Record<string, string>> | null> {
  if (!fragment.startsWith(`#${MARK}`)) return null;
  const text = fragment.slice(MARK.length + 1).replaceAll("-", "+").replaceAll("_", "/");
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const json = await unpacked(bytes);
    return json === null ? null : FILES.safeParse(parsedJson(json)).data ?? null;
  } catch (error) {
    // The text is not base64, or not compressed.
    if (error instanceof DOMException || error instanceof TypeError) return null;
    throw error;
  }
}

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string | null> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; size <= UNPACKED_MAX_BYTES;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return null;
}
