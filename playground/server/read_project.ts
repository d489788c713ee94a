/** The project on disk, as the page gets it. */
import { CONFIG_PATH, type RawFiles } from "../../shared/compiler/mod.ts";
import type { DefinitionFile, Project } from "../protocol.ts";
import { contentHash } from "./content_hash.ts";
import { isDefinitionPath } from "./definition_path.ts";
import { PlaygroundRefusal } from "./refusal.ts";

/** Input of a compile of the folder as it is now. */
export interface CompileFiles {
  readonly files: RawFiles;
  readonly inputSchemas: Readonly<Record<string, unknown>>;
}

/** The reason why a folder has no project that can be read: a link among the files, or one that is no text. */
export interface Unreadable {
  readonly unreadable: string;
}

export async function projectOf(
  name: string,
  compileFiles: CompileFiles | Unreadable,
): Promise<Project> {
  if ("unreadable" in compileFiles) {
    throw new PlaygroundRefusal("PROJECT_UNREADABLE", compileFiles.unreadable);
  }
  const { files, inputSchemas } = compileFiles;
  const paths = Object.keys(files).sort(byPlace);
  const [edited, others] = [
    paths.filter(isDefinitionPath),
    paths.filter((path) => !isDefinitionPath(path)),
  ];
  return {
    name,
    files: await Promise.all(edited.map((path) => definitionFile(path, files[path] ?? ""))),
    companions: Object.fromEntries(others.map((path) => [path, files[path] ?? ""])),
    inputSchemas: { ...inputSchemas },
  };
}

async function definitionFile(path: string, text: string): Promise<DefinitionFile> {
  return { path, text, hash: await contentHash(text) };
}

/** The configuration first. */
function byPlace(a: string, b: string): number {
  if (a === CONFIG_PATH || b === CONFIG_PATH) return a === b ? 0 : a === CONFIG_PATH ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
