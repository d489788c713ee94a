/** Finds the database for an operator's command: an output's, or the one of `dev`. */
import { isAbsolute, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { ifThere } from "../library/platform/if_there.ts";
import type { Database } from "../shared/runtime/ports.ts";
import { filePathOf, openDatabase } from "../library/platform/open_database.ts";
import { CommandError } from "./exit_codes.ts";
import { DATABASE, devFolderOf } from "./dev/dev_folder.ts";
import { readTextFile } from "./project_folder.ts";

export interface TargetDatabase {
  readonly url: string;
  readonly authToken: string | null;
}

const DEFAULT_URL = "file:./data/app.db";

/**
 * Returns the database. For an output's folder it is that of its `DATABASE_URL`, in the environment or in its `.env`. For a
 * project's folder, or the working folder if none is given, it is the database of `dev`, whatever the shell's variables
 * contain.
 */
export async function targetDatabase(folder: string | undefined): Promise<TargetDatabase> {
  const named = folder ?? ".";
  const output = await outputDatabase(named);
  if (output !== null && folder !== undefined) return await present(output, named);
  const dev = join(devFolderOf(resolve(named)), DATABASE);
  return await present({ url: `file:${dev}`, authToken: null }, named);
}

/** Returns the output's database; null: there is no output in the folder. */
export async function outputDatabase(folder: string): Promise<TargetDatabase | null> {
  if (await readTextFile(join(folder, "src/main.ts")) === null) return null;
  const file = parseEnv(await readTextFile(join(folder, ".env")) ?? "");
  const variable = (name: string) => Deno.env.get(name)?.trim() || file[name]?.trim() || null;
  return {
    url: inFolder(variable("DATABASE_URL") ?? DEFAULT_URL, folder),
    authToken: variable("DATABASE_AUTH_TOKEN"),
  };
}

/** Resolves a file relative to the output's folder, as the output's own tasks do. */
function inFolder(url: string, folder: string): string {
  if (!url.startsWith("file:")) return url;
  const path = filePathOf(url);
  return `file:${isAbsolute(path) ? path : resolve(folder, path)}`;
}

/** Checks that the database exists, because opening a missing file would create it. */
async function present(database: TargetDatabase, folder: string): Promise<TargetDatabase> {
  if (!database.url.startsWith("file:")) return database;
  const path = filePathOf(database.url);
  if (await ifThere(Deno.stat(path)) !== null) return database;
  throw new CommandError(
    `There is no database "${path}" for "${folder}": start its API once, or name another folder`,
  );
}

/** Returns the path of its file. Refuses a server, whose own tools do this. */
export function fileOf({ url }: TargetDatabase): string {
  if (url.startsWith("file:")) return filePathOf(url);
  throw new CommandError(
    `"${shownAddress(url)}" is a server; this works on a file. Use its own tools`,
  );
}

/** Returns the address without parts that could be a password. */
export function shownAddress(url: string): string {
  if (url.startsWith("file:")) return filePathOf(url);
  const { protocol = "", host = "" } = URL.parse(url) ?? {};
  return `${protocol}//${host}`;
}

export async function withDatabase<T>(
  { url, authToken }: TargetDatabase,
  body: (database: Database) => Promise<T>,
): Promise<T> {
  const database = await openDatabase({ url, ...(authToken === null ? {} : { authToken }) });
  try {
    return await body(database);
  } finally {
    await database.close();
  }
}
