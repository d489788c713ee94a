/** Writes the drafts of `add` into a project: it overwrites nothing, and the drafts admit nobody. */
import { dirname, isAbsolute, join, normalize } from "node:path";
import { ifThere } from "../../../library/platform/if_there.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../../shared/model/mod.ts";
import { requestWith } from "../../action_input_schemas.ts";
import { CommandError } from "../../exit_codes.ts";
import type { Findings } from "../../findings.ts";
import { readProjectFolder } from "../../project_folder.ts";

type ReadModel =
  | { readonly kind: "read"; readonly model: ProjectModel; readonly paths: readonly string[] }
  /** The project has mistakes, and a draft would add one more. */
  | { readonly kind: "failed"; readonly findings: Findings };

export async function readModel(folder: string): Promise<ReadModel> {
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  const result = validate(rawFiles, undefined, requestWith(inputSchemas));
  if (result.ok) return { kind: "read", model: result.model, paths: Object.keys(rawFiles) };
  const { errors, warnings } = result;
  return { kind: "failed", findings: { errors, warnings, sources: rawFiles, folder } };
}

/** Writes all of the drafts or none: paths with texts, relative to the project's folder. */
export async function writeDrafts(
  folder: string,
  drafts: Readonly<Record<string, string>>,
): Promise<void> {
  for (const path of Object.keys(drafts)) {
    if (normalize(path) !== path || isAbsolute(path) || path.startsWith("..")) {
      throw new Error(`"${path}" is no path inside of the project`);
    }
    if (await ifThere(Deno.lstat(join(folder, path))) !== null) {
      throw new CommandError(`"${path}" is there already; nothing is overwritten`);
    }
  }
  for (const [path, text] of Object.entries(drafts)) {
    const target = join(folder, path);
    await Deno.mkdir(dirname(target), { recursive: true });
    await Deno.writeTextFile(target, text, { createNew: true });
  }
}
