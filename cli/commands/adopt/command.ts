/** Runs `adopt [folder] [--write]`: converts a project of the language's first implementation to one of this compiler. */
import { dirname, join } from "node:path";
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import { DraftError } from "../../adopt/foreign_schema.ts";
import { CONFIG_PATH, type RawFiles, validate } from "../../../shared/compiler/mod.ts";
import { requestWith } from "../../action_input_schemas.ts";
import type { Arguments, Output } from "../../command.ts";
import { CommandError, type ExitCode } from "../../exit_codes.ts";
import { removeEmptyFolders } from "../../output_folder.ts";
import { isMigrationFile, projectOf, readTextFile, readTree } from "../../project_folder.ts";
import { shellWord } from "../../shell_word.ts";
import { type Adopted, adoptedProject } from "./adopted_project.ts";
import { workTreeOf } from "./work_tree.ts";

export async function adopt(
  { positionals: [folder = "."], flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const before = await readOlderProject(folder);
  const adopted = adoptionOf(before);
  const changes = changesBetween(before, adopted.files);
  const tree = await workTreeOf(folder, changes.filter((path) => Object.hasOwn(before, path)));
  const isWritten = flags.has("write") || tree.kind === "clean";
  if (isWritten) await write(folder, before, adopted.files, changes);
  const diff = isWritten ? [] : diffOf(before, adopted);
  for (const text of diff) output.out(text);
  const { moves, rewritten, baseline, decisions } = adopted;
  output.result({
    written: isWritten,
    ...(isWritten ? {} : { diff: diff.join("\n") }),
    moved: moves.map(([from, to]) => ({ from, to })),
    rewritten: rewritten.map(({ file, changes }) => ({ file, changes })),
    baseline,
    decisions,
  });
  const { green, yellow } = output.outColors;
  for (const [from, to] of adopted.moves) output.out(`${green("moved")} ${from} to ${to}`);
  for (const { file, changes } of adopted.rewritten) {
    output.out(`${green("rewritten")} ${file}: ${changes.join("; ")}`);
  }
  if (adopted.baseline.length > 0) {
    output.out(
      `${green("baseline")} ${adopted.baseline.join(", ")}: the first migration stands for them`,
    );
  }
  for (const decision of adopted.decisions) output.out(`${yellow("decide")} ${decision}`);
  if (changes.length === 0) output.out(`Nothing to rewrite in ${folder}`);
  else if (!isWritten) {
    const because = tree.kind === "dirty" ? tree.because : "the folder is in no git work tree";
    output.out(`Nothing is written: ${because}. Commit first, or say --write`);
  }
  const { rawFiles, inputSchemas } = projectOf(adopted.files);
  const result = validate(rawFiles, undefined, requestWith(inputSchemas));
  const errors = result.ok ? [] : result.errors;
  output.findings({ errors, warnings: result.warnings, sources: rawFiles, folder });
  if (isWritten && errors.length === 0) {
    output.out(`Next: ${output.program} compile ${shellWord(folder)} --out <folder>`);
  }
  // Only decisions for a person remain, and they are listed.
  return 0;
}

const ROOTS = ["quickback", "definitions", "drizzle"];

async function readOlderProject(folder: string): Promise<RawFiles> {
  const trees = await Promise.all(ROOTS.map((root) => readTree(folder, root)));
  const [config, wrangler] = await Promise.all(
    ["quickback.config.ts", "wrangler.toml"].map(async (path) => {
      const text = await readTextFile(join(folder, path));
      return text === null ? {} : { [path]: text };
    }),
  );
  const files: RawFiles = Object.assign({}, ...trees, config, wrangler);
  if (Object.hasOwn(files, CONFIG_PATH)) return files;
  if (!Object.hasOwn(files, "quickback.config.ts")) {
    throw new CommandError(
      `"${folder}" holds no project: it has neither ${CONFIG_PATH} nor quickback.config.ts`,
    );
  }
  const [quickback, definitions] = trees;
  if (quickback || definitions) return files;
  throw new CommandError(
    `"${folder}" is a project's quickback/ folder, or has no definitions; name the folder that holds it`,
  );
}

function adoptionOf(before: RawFiles): Adopted {
  try {
    return adoptedProject(before);
  } catch (error) {
    if (error instanceof DraftError) throw new CommandError(`${error.message}. Nothing is written`);
    throw error;
  }
}

/** Returns paths whose text differs, or that are on one side only, in order. */
function changesBetween(before: RawFiles, after: RawFiles): readonly string[] {
  const paths = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...paths].filter((path) => before[path] !== after[path]).sort();
}

/** Writes new files before it removes old ones. */
async function write(
  folder: string,
  before: RawFiles,
  after: RawFiles,
  changes: readonly string[],
): Promise<void> {
  for (const path of changes) {
    const text = after[path];
    if (text === undefined) continue;
    const target = join(folder, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, text, { createNew: !Object.hasOwn(before, path) });
  }
  for (const path of changes.filter((path) => !Object.hasOwn(after, path))) {
    await Deno.remove(join(folder, path));
    await removeEmptyFolders(folder, dirname(path));
  }
}

/**
 * Writes a patch for each file, moved ones with both names; for the state of migrations, which people do not read, only the
 * path.
 */
function diffOf(before: RawFiles, { files: after, moves }: Adopted): readonly string[] {
  const origins = new Map(moves.map(([from, to]) => [to, from]));
  const gone = new Set(moves.map(([from]) => from));
  return changesBetween(before, after).flatMap((path) => {
    const from = origins.get(path) ?? path;
    const [old, now] = [before[from], after[path]];
    if ((gone.has(path) && now === undefined) || old === now) return [];
    if (isMigrationFile(path) || path.startsWith("drizzle/")) {
      return [`${old === undefined ? "new" : now === undefined ? "removed" : "changed"} ${path}`];
    }
    const patch = createTwoFilesPatch(from, path, old ?? "", now ?? "", "", "", {
      context: 2,
      headerOptions: FILE_HEADERS_ONLY,
    });
    return [patch.trimEnd()];
  });
}
