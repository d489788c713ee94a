/** Remembers the API that `dev` served last, for a run that begins with mistakes in the definitions. */
import { join } from "node:path";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { readTextFile } from "../project_folder.ts";
import { VERSION } from "../version.ts";

interface LastGood {
  /** Version of the compiler: another one may have other models, and other outputs. */
  readonly version: string;
  readonly model: ProjectModel;
}

const FILE = "last_good.json";

/** Remembers the API. `folder`: that of the compiled API, which stays unchanged while nothing compiles. */
export async function rememberServed(folder: string, model: ProjectModel): Promise<void> {
  const kept: LastGood = { version: VERSION, model };
  await Deno.writeTextFile(join(folder, FILE), JSON.stringify(kept));
}

/** Returns the model; null if no API of this version has served. */
export async function lastServed(folder: string): Promise<ProjectModel | null> {
  const text = await readTextFile(join(folder, FILE));
  if (text === null) return null;
  const { version, model }: LastGood = JSON.parse(text);
  return version === VERSION ? model : null;
}
