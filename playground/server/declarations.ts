/** Makes the declarations of a project's names for TypeScript, as `quickback types` would write them, from the edited files. */
import { editorTypes, validate } from "../../shared/compiler/mod.ts";
import type { Declarations } from "../protocol.ts";
import { type CompileFiles, readable, type Unreadable } from "./definition_files.ts";

const FOLDER = ".quickback/";

/** Returns the declarations; those of the last version without mistakes if there are mistakes now. */
export async function declarationsOf(
  edits: Readonly<Record<string, string>>,
  { read, declared }: {
    readonly read: () => Promise<CompileFiles | Unreadable>;
    readonly declared: () => Promise<Readonly<Record<string, string>>>;
  },
): Promise<Declarations> {
  const { files, inputSchemas } = readable(await read());
  const request = { actionInputSchemas: inputSchemas, readsSchemas: true, beginsEmpty: true };
  const result = validate({ ...files, ...edits }, undefined, request);
  if (!result.ok) return { isCurrent: false, files: { ...await declared() } };
  const made = editorTypes(result).map(({ path, content }) => [FOLDER + path, content]);
  return { isCurrent: true, files: Object.fromEntries(made) };
}
