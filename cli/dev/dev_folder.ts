/** Folder in which `dev` stores a project's compiled API, its database and its secret, apart from the project's own files. */
import { join } from "node:path";
import { ifThere } from "../../library/platform/if_there.ts";
import { keptText } from "../../library/platform/own_file.ts";

/** File of the development database inside the folder. */
export const DATABASE = "app.db";

/** Returns `.quickback/dev` in the project. */
export function devFolderOf(project: string): string {
  return join(project, ".quickback", "dev");
}

/**
 * Returns the secret with which the API of this folder signs: the environment's, or else one that is generated once and stored
 * beside the database.
 */
export async function devSecret(folder: string, given: string | undefined): Promise<string> {
  if (given) return given;
  const made = crypto.getRandomValues(new Uint8Array(48)).toBase64();
  return (await keptText(join(folder, "auth_secret"), made + "\n")).trim();
}

/** True once an API has served from this folder. */
export async function hasDatabase(folder: string): Promise<boolean> {
  return await ifThere(Deno.stat(join(folder, DATABASE))) !== null;
}
