/** Writes the declarations of a project beside its definitions, for editors and type checkers. */
import { dirname, join } from "node:path";
import { editorTypes } from "../../shared/compiler/mod.ts";
import { readTextFile, readTree } from "../project_folder.ts";
import type { Terminal } from "../terminal.ts";
import { DECLARATIONS, DECLARATIONS_FOLDER } from "./type_settings.ts";

/** Folder that contains only declarations: a file in it that is no longer generated is an outdated one. */
const OWN_FOLDER = "types";

/**
 * Writes the declarations after a compile, which also succeeds in a read-only folder; returns false if they could not be
 * written.
 */
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

/** True for refusals of the operating system: no permission, a read-only file system, a file in the way. */
function isRefused(error: unknown): error is Error {
  return error instanceof Error && "code" in error &&
    /^E[A-Z]+$/.test(String(error.code));
}

/** Reads the written declarations by path relative to the project; none before the first compile. */
export async function keptDeclarations(project: string): Promise<Readonly<Record<string, string>>> {
  const below = await readTree(join(project, DECLARATIONS_FOLDER), OWN_FOLDER) ?? {};
  const register = await readTextFile(join(project, DECLARATIONS));
  const files = register === null ? below : { ...below, "types.d.ts": register };
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [`${DECLARATIONS_FOLDER}/${path}`, text]),
  );
}

/** Writes changed files, and removes files that are no longer declared. */
export async function writeDeclarations(
  project: string,
  compiled: Parameters<typeof editorTypes>[0],
): Promise<void> {
  const folder = join(project, DECLARATIONS_FOLDER);
  const files = new Map(editorTypes(compiled).map(({ path, content }) => [path, content]));
  // The folder excludes itself from version control, even in projects without a rule for it.
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
