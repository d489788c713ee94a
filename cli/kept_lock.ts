/** Keeps an existing lock file when a compile writes one (docs/decisions/commands.md). */
import { join } from "node:path";
import { keptLock } from "../shared/compiler/mod.ts";
import { CommandError } from "./exit_codes.ts";
import { member } from "./dev/demo/api_client.ts";
import { LOCK_FILE, type OutputFile } from "./output_folder.ts";
import { readTextFile } from "./project_folder.ts";

export interface PresentLock {
  readonly path: string;
  readonly text: string;
}

/** Reads the output's own lock, or else the project's. */
export async function readPresentLock(
  folder: string,
  out: string,
): Promise<PresentLock | null> {
  for (const path of [join(out, LOCK_FILE), join(folder, LOCK_FILE)]) {
    const text = await readTextFile(path);
    if (text !== null) return { path, text };
  }
  return null;
}

/** Returns the files of a compile, with the existing lock's versions of the author's own dependencies. */
export function withPresentLock(
  files: readonly OutputFile[],
  present: PresentLock | null,
): readonly OutputFile[] {
  if (present === null) return files;
  return files.map((file) =>
    file.path === LOCK_FILE ? { ...file, content: contentWith(present, file, files) } : file
  );
}

function contentWith(
  { path, text }: PresentLock,
  file: OutputFile,
  files: readonly OutputFile[],
): string {
  const config = files.find((other) => other.path === "deno.json")?.content ?? "{}";
  const content = keptLock({ emitted: file.content, present: text, imports: importsOf(config) });
  if (content !== null) return content;
  throw new CommandError(
    `"${path}" is no lock file that can be read; remove it to have the versions of your own dependencies resolved anew`,
  );
}

function importsOf(config: string): Readonly<Record<string, string>> {
  const value: unknown = JSON.parse(config);
  const imports = member(value, "imports");
  if (typeof imports !== "object" || imports === null) return {};
  return Object.fromEntries(
    Object.entries(imports).filter((entry): entry is [string, string] =>
      typeof entry[1] === "string"
    ),
  );
}
