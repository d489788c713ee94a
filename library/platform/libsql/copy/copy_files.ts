/**
 * The files of a copy, and the lock file beside them, which reserves the copy for one process and records its sizes. libSQL
 * accepts a copy of which a part was cut or removed; the sizes reveal it.
 */
import { dirname } from "node:path";
import { ifThereSync } from "../../if_there.ts";
import { OWN_FOLDER } from "../../own_file.ts";

/** Names of SQLite's files, and of the file with libSQL's position. */
const INDEX = "-client_wal_index";
const PARTS: readonly string[] = ["", "-wal", "-shm", INDEX];
/** Parts that only grow while nobody else changes them. */
const GROWING: readonly string[] = ["", "-wal"];
const LOG_ID_BYTES = 16;

/** Inode numbers and sizes of the files, and the log that they were copied from. */
interface KeptState {
  readonly log: string;
  readonly parts: Readonly<Record<string, PartState>>;
}

interface PartState {
  readonly number: number;
  readonly size: number;
}

export interface CopyFiles {
  /** Returns damage that would go unnoticed; null: none. `isPresent` is false if there is no copy yet. */
  inspect(): { readonly isPresent: boolean; readonly damage: string | null };
  /** Records the present state of the files as good. */
  keep(): void;
  /** Removes the copy. */
  remove(): void;
  /** Releases the path. */
  close(): void;
}

/**
 * Reserves the path for this process and creates its folder. Refuses a path that another process has, that is not a file, that
 * cannot be written, or that holds a database which is no copy.
 */
export function openCopyFiles(path: string): CopyFiles {
  const lock = claimed(path);
  let kept = readKept(lock);
  // A database that is no copy belongs to somebody else and must not be removed.
  if (kept === null && (partState(path)?.size ?? 0) > 0 && logOf(path) === null) {
    lock.close();
    throw new Error(
      `Cannot start: DATABASE_REPLICA '${path}' holds a file that is no copy of a database: name another path, or move it away`,
    );
  }
  return {
    inspect() {
      const isPresent = PARTS.some((part) => partState(path + part) !== null);
      if (isPresent) return { isPresent, damage: damageOf(path, kept) };
      return { isPresent, damage: kept === null ? null : `'${path}' is gone` };
    },
    keep() {
      const parts = GROWING.flatMap((part) => {
        const state = partState(path + part);
        return state === null ? [] : [[part, state] as const];
      });
      kept = { log: logOf(path) ?? "", parts: Object.fromEntries(parts) };
      lock.truncateSync();
      lock.seekSync(0, Deno.SeekMode.Start);
      lock.writeSync(new TextEncoder().encode(JSON.stringify(kept)));
    },
    remove() {
      for (const part of PARTS) ifThereSync(() => Deno.removeSync(path + part));
      // This process removed the copy, so nothing is missing.
      kept = null;
      lock.truncateSync();
    },
    close: () => lock.close(),
  };
}

/** Takes the lock, which ends with the process. */
function claimed(path: string): Deno.FsFile {
  let lock: Deno.FsFile;
  try {
    Deno.mkdirSync(dirname(path), OWN_FOLDER);
    if (ifThereSync(() => Deno.statSync(path).isDirectory)) throw new Error("it is a folder");
    lock = Deno.openSync(`${path}.lock`, { read: true, write: true, create: true, mode: 0o600 });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`Cannot start: DATABASE_REPLICA '${path}' cannot be written: ${reason}`, {
      cause,
    });
  }
  if (lock.tryLockSync(true)) return lock;
  lock.close();
  throw new Error(
    `Cannot start: DATABASE_REPLICA '${path}' belongs to another process: give each its own path`,
  );
}

function damageOf(path: string, kept: KeptState | null): string | null {
  if (kept === null) return "nobody wrote down what it was";
  for (const [part, before] of Object.entries(kept.parts)) {
    const now = partState(path + part);
    if (now === null) return `'${path}${part}' is gone`;
    if (now.number !== before.number) return `'${path}${part}' is another file`;
    if (now.size < before.size) return `'${path}${part}' was cut`;
  }
  const log = logOf(path);
  if (log === null) return `'${path}${INDEX}' is gone`;
  return log === kept.log ? null : "it is a copy of another database";
}

function partState(path: string): PartState | null {
  const found = ifThereSync(() => Deno.statSync(path));
  return found && { number: found.ino ?? 0, size: found.size };
}

/** Returns the id of the log that a copy follows, which is first in libSQL's index; null: there is none. */
function logOf(path: string): string | null {
  const index = ifThereSync(() => Deno.readFileSync(path + INDEX));
  return index === null || index.length < LOG_ID_BYTES
    ? null
    : index.slice(0, LOG_ID_BYTES).toHex();
}

/** Reads the recorded state; null: this program did not write it. */
function readKept(lock: Deno.FsFile): KeptState | null {
  const bytes = new Uint8Array(lock.statSync().size);
  lock.readSync(bytes);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
