/** Reads a project's definitions from disk into the map that the compiler takes (definitions 1, contract 4.8). */
import { join } from "node:path";
import { ifThere } from "../library/platform/if_there.ts";
import type { RawFiles } from "../shared/compiler/host.ts";
import { type InputSchemas, readInputSchemas, SCHEMAS_FILE } from "./action_input_schemas.ts";
import { CommandError } from "./exit_codes.ts";

export interface ProjectFolder {
  /** Files for the compiler: `quickback/**` without earlier SQL, and `wrangler.toml`. */
  readonly rawFiles: RawFiles;
  /** SQL of earlier migrations: `quickback/drizzle/**` `.sql`. */
  readonly migrations: RawFiles;
  /** Author's schemas of action inputs that cannot be read from code. */
  readonly inputSchemas: InputSchemas;
}

/** Reads the folder. Paths start at the project folder, with forward slashes, in sorted order. */
export async function readProjectFolder(folder: string): Promise<ProjectFolder> {
  const definitions = await readTree(folder, "quickback");
  if (definitions === null) throw new CommandError(await missingProject(folder));
  const wrangler = await readTextFile(join(folder, "wrangler.toml"));
  return projectOf(wrangler === null ? definitions : { ...definitions, "wrangler.toml": wrangler });
}

/** Returns the project that consists of these files. */
export function projectOf(all: RawFiles): ProjectFolder {
  return {
    rawFiles: filtered(all, isForCompiler),
    migrations: filtered(all, (path) => isMigrationFile(path) && path.endsWith(".sql")),
    inputSchemas: readInputSchemas(all[SCHEMAS_FILE]),
  };
}

const DATA_STEP = /^quickback\/migrations\/[^/]+\.sql$/;
const CODE_FILE = /\.[cm]?[jt]sx?$/;
const DOCUMENT_FOLDERS = [
  "features",
  "services",
  "lib",
  "hooks",
  "plugins",
  "middlewares",
  "email-templates",
  "jobs",
  "schedules",
];

/** True for files of the compiler. It also gets code in a wrong place, to report it; a README beside it is no mistake. */
function isForCompiler(path: string): boolean {
  if (path === "wrangler.toml") return true;
  if (isMigrationFile(path)) return isStateOfMigrations(path);
  return CODE_FILE.test(path) || DATA_STEP.test(path) ||
    DOCUMENT_FOLDERS.some((folder) => path.startsWith(`quickback/${folder}/`));
}

/** True for journals and snapshots, by which the compiler knows earlier compiles. */
export function isStateOfMigrations(path: string): boolean {
  return isMigrationFile(path) && /\/meta\/|\/snapshot\.json$/.test(path);
}

/** Returns only the definitions, whose meaning does not depend on the earlier schema. */
export function withoutMigrationState(files: RawFiles): RawFiles {
  return filtered(files, (path) => !isStateOfMigrations(path));
}

export function isMigrationFile(path: string): boolean {
  return path.startsWith("quickback/drizzle/");
}

/** Returns every file below `folder/path` by path; null if there is no such folder. */
export async function readTree(folder: string, path: string): Promise<RawFiles | null> {
  const entries = await ifThere(Array.fromAsync(Deno.readDir(join(folder, path))));
  if (entries === null) return null;
  const files: Record<string, string> = {};
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    Object.assign(files, await readEntry(folder, `${path}/${entry.name}`, entry));
  }
  return files;
}

async function readEntry(folder: string, path: string, entry: Deno.DirEntry): Promise<RawFiles> {
  // A link could copy any file of this machine into the output.
  if (entry.isSymlink) {
    throw new CommandError(`"${path}" is a symbolic link; put the file itself into the project`);
  }
  if (entry.isDirectory) return await readTree(folder, path) ?? {};
  const text = IMAGE.test(path)
    ? await readImage(join(folder, path))
    : await readTextFile(join(folder, path));
  return text === null ? {} : { [path]: text };
}

/** Matches an image beside the texts of messages, which is not a text itself. */
const IMAGE = /^quickback\/email-templates\/.*\.png$/;

/** Returns an image as the compiler takes it, a `data:` URL (contract 4.8); null if there is no such file. */
async function readImage(path: string): Promise<string | null> {
  const bytes = await ifThere(Deno.readFile(path));
  return bytes === null ? null : `data:image/png;base64,${bytes.toBase64()}`;
}

/** Returns a text; null if there is no such file. Refuses a file that is not UTF-8. */
export async function readTextFile(path: string): Promise<string | null> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await Deno.readFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    if (error instanceof TypeError) throw new CommandError(`"${path}" is not a UTF-8 text file`);
    throw error;
  }
}

async function missingProject(folder: string): Promise<string> {
  const isInside = await readTextFile(join(folder, "quickback.config.ts")) !== null;
  return isInside
    ? `"${folder}" is a project's quickback/ folder; name the folder that holds it`
    : `"${folder}" has no quickback/ folder; a project is a folder with quickback/quickback.config.ts`;
}

function filtered(files: RawFiles, keep: (path: string) => boolean): RawFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => keep(path)));
}
