/** Memory of the API that `dev` served last, for a run that begins with mistakes in the definitions. */
import { join } from "node:path";
import type { ProjectModel } from "../../shared/model/mod.ts";
import { readTextFile } from "../project_folder.ts";
import { VERSION } from "../version.ts";

interface LastGood {
  /** Of the compiler: another one may have other models, and other outputs. */
  readonly version: string;
  readonly model: ProjectModel;
}

const FILE = "last_good.json";

/** `folder` is that of the compiled API, which stays as it is while nothing compiles. */
export async function rememberServed(folder: string, model: ProjectModel): Promise<void> {
  const kept: LastGood = { version: VERSION, model };
  await Deno.writeTextFile(join(folder, FILE), JSON.stringify(kept));
}

/** Null where no API of this version has served. */
export async function lastServed(folder: string): Promise<ProjectModel | null> {
  const text = await readTextFile(join(folder, FILE));
  if (text === null) return null;
  const { version, model }: LastGood = JSON.parse(text);
  return version === VERSION ? model : null;
}
