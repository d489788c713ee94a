/** The declarations of a project, kept beside its definitions for editors and type checkers. */
import { dirname, join } from "node:path";
import { editorTypes } from "../../shared/compiler/mod.ts";
import { readTextFile, readTree } from "../project_folder.ts";
import type { Terminal } from "../terminal.ts";
import { DECLARATIONS, DECLARATIONS_FOLDER } from "./type_settings.ts";

/** Below the folder: what is there and is not generated any more is of an earlier declaration. */
const OWN_FOLDER = "types";

/** The same beside a compile, which succeeds in a folder that may not be written to, too; false: they could not be written. */
export async function keepDeclarations(
  project: string,
  compiled: Parameters<typeof editorTypes>[0],
  { err, errColors }: Terminal,
): Promise<boolean> {
  try {
    await writeDeclarations(project, compiled);
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    err(`${errColors.yellow("The types for editors cannot be written")}: ${error.message}`);
    return false;
  }
}

/** The operating system's word: no permission, a file system that only reads, a file in the way. */
function isRefused(error: unknown): error is Error {
  return error instanceof Error && "code" in error &&
    /^E[A-Z]+$/.test(String(error.code));
}

/** Files that are written there, by path from the project; none before the first compile. */
export async function keptDeclarations(project: string): Promise<Readonly<Record<string, string>>> {
  const below = await readTree(join(project, DECLARATIONS_FOLDER), OWN_FOLDER) ?? {};
  const register = await readTextFile(join(project, DECLARATIONS));
  const files = register === null ? below : { ...below, "types.d.ts": register };
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${DECLARATIONS_FOLDER}/${path}`, text]),
  );
}

/** Writes what has changed, and removes what is no longer declared. */
export async function writeDeclarations(
  project: string,
  compiled: Parameters<typeof editorTypes>[0],
): Promise<void> {
  const folder = join(project, DECLARATIONS_FOLDER);
  const files = new Map(editorTypes(compiled).map(({ path, content }) => [path, content]));
  // The folder keeps itself out of version control, in projects that say nothing about it too.
  files.set(".gitignore", "*\n");
  const before = await readTree(folder, OWN_FOLDER) ?? {};
  for (const path of Object.keys(before)) {
    if (!files.has(path)) await Deno.remove(join(folder, path));
  }
  for (const [path, content] of files) {
    const target = join(folder, path);
    if ((before[path] ?? await readTextFile(target)) === content) continue;
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, content);
  }
}
