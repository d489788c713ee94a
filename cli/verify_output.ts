/** Compares an output folder with the output that its definitions compile to (contract 9.6). */
import { join } from "node:path";
import { sha256Hex } from "../shared/lib/bytes.ts";
import { type OutputFile, readManifest } from "./output_folder.ts";
import { isMigrationFile, readTextFile, readTree } from "./project_folder.ts";

export interface Differences {
  /** Files that differ from every compile: they were edited. */
  readonly edited: readonly string[];
  /** Files of an earlier compile; the definitions or the compiler have changed since. */
  readonly outdated: readonly string[];
  readonly missing: readonly string[];
  /** Files of an earlier compile that are no longer generated. */
  readonly stale: readonly string[];
}

/** Returns the differences. `files`: output of a compile now. */
export async function differencesOf(
  folder: string,
  files: readonly OutputFile[],
): Promise<Differences> {
  const manifest = await readManifest(folder);
  const found = await Promise.all(files.map(async ({ path, content }) => {
    const text = await readTextFile(join(folder, path));
    if (text === null) return { path, state: "missing" } as const;
    if (text === content) return { path, state: "same" } as const;
    const isOurs = manifest.get(path) === await sha256Hex(text);
    return { path, state: isOurs ? "outdated" : "edited" } as const;
  }));
  const inState = (state: typeof found[number]["state"]) =>
    found.filter((one) => one.state === state).map(({ path }) => path);
  const generated = new Set(files.map(({ path }) => path));
  // Earlier SQL is not generated again: it is compared by the name of its file.
  const tree = await readTree(folder, "quickback/drizzle") ?? {};
  const judged = await Promise.all(
    Object.entries(tree).map(async ([path, text]) => {
      const named = /\/\d{4}_([0-9a-f]+)\.sql$/.exec(path)?.[1];
      const isKept = named === undefined || (await sha256Hex(text)).startsWith(named);
      return isKept || generated.has(path) ? [] : [path];
    }),
  );
  const paths = [...manifest.keys()].filter((path) =>
    !generated.has(path) && !isMigrationFile(path)
  );
  const there = await Promise.all(
    paths.map(async (path) => await readTextFile(join(folder, path)) === null ? [] : [path]),
  );
  return {
    edited: [...inState("edited"), ...judged.flat()].sort(),
    outdated: inState("outdated"),
    missing: inState("missing"),
    stale: there.flat(),
  };
}

export function isSame({ edited, outdated, missing, stale }: Differences): boolean {
  return [edited, outdated, missing, stale].every(({ length }) => length === 0);
}

/** Returns one digest of all files by their paths: equal outputs have equal digests, wherever and whenever they were made. */
export async function outputHash(files: readonly OutputFile[]): Promise<string> {
  const sorted = [...files].sort((a, b) => a.path < b.path ? -1 : 1);
  const lines = await Promise.all(
    sorted.map(async ({ path, content }) => `${await sha256Hex(content)}  ${path}\n`),
  );
  return await sha256Hex(lines.join(""));
}
