/** Generated files with the hash of their bytes (definitions 7, `/compile` result). */
import type { CompileHost, GeneratedFile } from "../../compiler/mod.ts";
import { sha256 } from "../../lib/bytes.ts";
import { hex } from "../../lib/hexadecimal.ts";
import type { OutputFile } from "./compile_event.ts";

/** Hashes the files. `carried` holds hashes of earlier outputs, and receives new ones. */
export async function outputFiles(
  files: readonly GeneratedFile[],
  carried: CarriedFiles | null = null,
): Promise<readonly OutputFile[]> {
  return await Promise.all(files.map((file) => carried?.hashed(file) ?? withHash(file)));
}

export type CarryingHost = Pick<CompileHost, "template" | "vendored" | "built" | "platforms">;

/** Returns the files that outputs share. Two platforms may have different ones under one path. */
export function carriedTexts(
  { template, vendored, built = {}, platforms = {} }: CarryingHost,
): readonly (readonly [path: string, content: string])[] {
  const own = Object.values(platforms).flatMap((files) => [files.template, files.vendored]);
  return [template, vendored, built, ...own].flatMap((files) => Object.entries(files));
}

/** Files that every output of a host contains, which are most of an output. They are hashed once. */
export class CarriedFiles {
  readonly #contents: ReadonlyMap<string, readonly string[]>;
  readonly #hashed = new Map<string, Promise<OutputFile>>();

  constructor(host: CarryingHost) {
    const contents = new Map<string, string[]>();
    for (const [path, content] of carriedTexts(host)) {
      contents.set(path, [...contents.get(path) ?? [], content]);
    }
    this.#contents = contents;
  }

  /** Returns the file with its hash; null for a file that is not shared. */
  hashed(file: GeneratedFile): Promise<OutputFile> | null {
    const at = this.#contents.get(file.path)?.indexOf(file.content) ?? -1;
    if (at === -1) return null;
    const key = `${at}:${file.path}`;
    const hashed = this.#hashed.get(key) ?? withHash(file);
    this.#hashed.set(key, hashed);
    return hashed;
  }
}

async function withHash({ path, content }: GeneratedFile): Promise<OutputFile> {
  return { path, content, sha256: hex(await sha256(content)) };
}
