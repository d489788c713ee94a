/** Files and folders for the account that runs the API alone: what they hold is nobody else's on the machine. */
import { dirname } from "node:path";

/** Options of a folder that is made for its owner alone. */
export const OWN_FOLDER = { recursive: true, mode: 0o700 } as const;

/**
 * Makes the file of a database where it is not there; SQLite would let everybody read it, and gives its log the same mode. A file
 * that is there is not opened: closing it in the process that has it open would give up SQLite's locks.
 */
export function makeOwnFile(path: string): void {
  try {
    Deno.openSync(path, { write: true, createNew: true, mode: 0o600 }).close();
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}

/**
 * The text that an earlier start left in the file, or this one, which is left there. Throws where others of this machine may
 * read or write the file: what stands there is no secret any more.
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
  // Null where the system has no such bits.
  const { mode } = await Deno.stat(path);
  if (mode === null || (mode & 0o077) === 0) return;
  const bits = (mode & 0o777).toString(8).padStart(4, "0");
  throw new Error(
    `Cannot start: "${path}" holds a secret and is open to other accounts of this machine (mode ` +
      `${bits}): make a new one by removing it, or run chmod 600 "${path}"`,
  );
}
