/** Folder in which `dev` keeps a project's compiled API, its database and its secret, apart from the project's own files. */
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readTextFile } from "../project_folder.ts";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

/** Of the development database, inside the folder. */
export const DATABASE = "data/app.db";

/** `.quickback/helpdesk` for an example; other projects of one name are told apart by where they stand. */
export async function devFolderOf(project: string, workingFolder: string): Promise<string> {
  const path = resolve(workingFolder, project);
  const name = basename(path);
  const isExample = dirname(path) === EXAMPLES;
  const folder = isExample ? name : `${name}-${(await sha256(path)).slice(0, 8)}`;
  return join(workingFolder, ".quickback", folder);
}

/** The secret that the API of this folder signs with: the environment's, else one made once and kept beside the database. */
export async function devSecret(folder: string, given: string | undefined): Promise<string> {
  if (given) return given;
  const file = join(folder, "data", "auth_secret");
  const kept = (await readTextFile(file))?.trim();
  if (kept) return kept;
  const secret = crypto.getRandomValues(new Uint8Array(48)).toBase64();
  await Deno.mkdir(dirname(file), { recursive: true });
  await Deno.writeTextFile(file, secret + "\n", { mode: 0o600 });
  return secret;
}

/** True once an API has served from this folder. */
export async function hasDatabase(folder: string): Promise<boolean> {
  try {
    await Deno.stat(join(folder, DATABASE));
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}
