/** Generated files with the hash of their bytes (definitions 7, `/compile` result). */
import type { GeneratedFile } from "../../compiler/mod.ts";
import { hex } from "../../lib/hex.ts";
import type { OutputFile } from "./compile_event.ts";

export async function outputFiles(
  files: readonly GeneratedFile[],
): Promise<readonly OutputFile[]> {
  return await Promise.all(files.map(withHash));
}

async function withHash({ path, content }: GeneratedFile): Promise<OutputFile> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  return { path, content, sha256: hex(new Uint8Array(digest)) };
}
