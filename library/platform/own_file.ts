/** Files and folders that only the account running the API can access. */
import { dirname } from "node:path";

/** Options for creating a folder that only its owner can access. */
export const OWN_FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Creates a database file if it is missing. SQLite would make it readable by everybody, and gives its log the same mode. An
 * existing file is not opened, because closing it would release SQLite's locks in the process that has it open.
 */
export function makeOwnFile(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/**
 * Returns the text that an earlier start wrote to the file, or writes this one. Throws if others on this machine can read or
 * write the file, because its text is then no longer secret.
 */
export async function keptText(path: string, made: string): Promise<string> {
  await Deno.mkdir(dirname(path), OWN_FOLDER);
  try {
    await Deno.writeTextFile(path, made, { createNew: true, mode: 0o600 });
    return made;
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    await requireOwn(path);
    return await Deno.readTextFile(path);
  }
}

async function requireOwn(path: string): Promise<void> {
  // The mode is null on systems without such bits.
  const { mode } = await Deno.stat(path);
  if (mode === null || (mode & 0o077) === 0) return;
  const bits = (mode & 0o777).toString(8).padStart(4, "0");
  throw new Error(
    `Cannot start: "${path}" holds a secret and is open to other accounts of this machine (mode ` +
      `${bits}): make a new one by removing it, or run chmod 600 "${path}"`,
  );
}
