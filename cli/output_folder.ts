/**
 * Writes a compiled project to disk: only changed files, only below the folder, and without overwriting or removing a file that
 * it did not write itself. The manifest beside the files lists those that it wrote.
 */
import { dirname, join } from "node:path";
import { ifThereSync } from "../library/platform/if_there.ts";
import { sha256Hex } from "../shared/lib/bytes.ts";
import { CommandError } from "./exit_codes.ts";
import { isMigrationFile, readTextFile } from "./project_folder.ts";
import { parsedJson } from "../shared/lib/json.ts";

export const MANIFEST = ".quickback-output.json";

export interface OutputFile {
  readonly path: string;
  readonly content: string;
}

export interface WriteSummary {
  readonly written: readonly string[];
  readonly unchanged: number;
  readonly removed: readonly string[];
  /** Files that are no longer generated, but were edited by hand. */
  readonly left: readonly string[];
}

/** Maps paths to the SHA-256 of the written content. */
type Manifest = ReadonlyMap<string, string>;

/** Writes the folder. With `force`, conflicting files are overwritten. */
export async function writeOutputFolder(
  folder: string,
  files: readonly OutputFile[],
  options: { readonly force: boolean },
): Promise<WriteSummary> {
  const known = new Map<string, boolean>();
  const before = await readManifest(folder);
  const current = new Map<string, string | null>();
  for (const { path } of files) {
    const isThere = requireInside(folder, path, known);
    current.set(path, isThere ? await readTextFile(join(folder, path)) : null);
  }
  if (!options.force) requireOwn(folder, files, before, current);
  const entries = await Promise.all(
    files.map(async ({ path, content }) => [path, await sha256Hex(content)] as const),
  );
  const after = new Map(entries);
  // The manifest first contains both sets, so that an interrupted run still knows its own files.
  await writeManifest(folder, new Map([...before, ...after]));
  const changed = files.filter(({ path, content }) => current.get(path) !== content);
  // All writes start at once: hundreds of waits would take longer than the writes.
  for (const parent of new Set(changed.map(({ path }) => dirname(path)))) {
    Deno.mkdirSync(join(folder, parent), { recursive: true });
  }
  for (const { path, content } of changed) Deno.writeTextFileSync(join(folder, path), content);
  // Earlier migrations are history and stay.
  const removed: string[] = [];
  const left: string[] = [];
  for (const [path, hash] of before) {
    if (after.has(path) || isMigrationFile(path)) continue;
    if (!requireInside(folder, path, known)) continue;
    const text = await readTextFile(join(folder, path));
    if (text === null) continue;
    if (await sha256Hex(text) !== hash) {
      left.push(path);
      continue;
    }
    await Deno.remove(join(folder, path));
    await removeEmptyFolders(folder, dirname(path));
    removed.push(path);
  }
  const stale = { removed, left };
  await writeManifest(folder, after);
  return {
    written: changed.map(({ path }) => path),
    unchanged: files.length - changed.length,
    ...stale,
  };
}

/**
 * Refuses a path that leaves the folder, by its spelling or through a symbolic link on the way; returns false if the path does
 * not exist. `known` caches the parent folders of other files.
 */
function requireInside(folder: string, path: string, known: Map<string, boolean>): boolean {
  const segments = path.split("/");
  if (
    !segments.every((segment) => /^[A-Za-z0-9._@-]+$/.test(segment) && !/^\.\.?$/.test(segment))
  ) {
    throw new CommandError(`Refused to write "${path}": it is not a path inside the output folder`);
  }
  let isThere = true;
  for (let depth = 1; depth <= segments.length && isThere; depth++) {
    const place = join(folder, ...segments.slice(0, depth));
    const before = known.get(place);
    const entry = before === undefined ? ifThereSync(() => Deno.lstatSync(place)) : null;
    if (entry?.isSymlink) {
      throw new CommandError(`Refused to write "${path}": "${place}" is a symbolic link`);
    }
    isThere = before ?? entry !== null;
    known.set(place, isThere);
  }
  return isThere;
}

/**
 * Refuses to overwrite files of others. Migration state and the lock are read and written by every compile; any other file that
 * no compile wrote belongs to the user.
 */
function requireOwn(
  folder: string,
  files: readonly OutputFile[],
  before: Manifest,
  current: ReadonlyMap<string, string | null>,
): void {
  const inTheWay = files.filter(({ path, content }) => {
    const text = current.get(path) ?? null;
    return text !== null && text !== content && !before.has(path) &&
      !isMigrationFile(path) && path !== LOCK_FILE;
  }).map(({ path }) => path);
  if (inTheWay.length > 0) {
    throw new CommandError(
      `Folder "${folder}" has files that were not generated here: ${inTheWay.join(", ")}\n` +
        "Choose another folder, or overwrite them with --force",
    );
  }
}

/** Removes empty folders, from the path upwards to the folder itself. */
export async function removeEmptyFolders(folder: string, path: string): Promise<void> {
  if (path === ".") return;
  const entries = await Array.fromAsync(Deno.readDir(join(folder, path)));
  if (entries.length > 0) return;
  await Deno.remove(join(folder, path));
  await removeEmptyFolders(folder, dirname(path));
}

/** Reads the manifest of the last compile into the folder: SHA-256 by path. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readTextFile(join(folder, MANIFEST));
  if (text === null) return new Map();
  const value = parsedJson(text);
  if (!isTextMap(value)) {
    throw new CommandError(
      `"${join(folder, MANIFEST)}" cannot be read; remove it and compile with --force`,
    );
  }
  return new Map(Object.entries(value));
}

function isTextMap(value: unknown): value is Record<string, string> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    Object.values(value).every((entry) => typeof entry === "string");
}

async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const sorted = [...manifest].sort(([a], [b]) => a < b ? -1 : 1);
  const text = JSON.stringify(Object.fromEntries(sorted), null, 2) + "\n";
  if (await readTextFile(join(folder, MANIFEST)) !== text) {
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(join(folder, MANIFEST), text);
  }
}
/** File name of the lock, as Deno expects it. */
export const LOCK_FILE = "deno.lock";
