/** A project with actions, really compiled: its emitted `src/actions.ts` runs in this process against the API under test. */
import { readCompileHost } from "../../container/host.ts";
import { compile, type RawFiles } from "../../shared/compiler/mod.ts";
import type { ActionImplementations } from "../../shared/surface/action_implementation.ts";
import { type ApiOptions, type ApiUnderTest, isRecord, withApi } from "./api.ts";
import { withTempFolder } from "./temp_folder.ts";

export function withCompiledActions(
  files: RawFiles,
  body: (api: ApiUnderTest) => Promise<void>,
  options: ApiOptions = {},
): Promise<void> {
  const result = compile(files, readCompileHost({ version: "0.0.0" }));
  if (!result.ok) throw new Error(JSON.stringify(result.errors, null, 2));
  return withTempFolder(async (folder) => {
    for (const { path, content } of result.files) {
      const target = `${folder}/${path}`;
      await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(target, content);
    }
    const module: unknown = await import(`file://${folder}/src/actions.ts`);
    if (!isRecord(module) || !isRecord(module["schema"])) {
      throw new Error("No actions were emitted");
    }
    const actions = { actions: implementationsIn(module["actions"]), schema: module["schema"] };
    await withApi(result.model, body, {
      ...options,
      actions: { ...actions, env: { GREETING: "hello" } },
    });
  });
}

function implementationsIn(actions: unknown): ActionImplementations {
  if (!isImplementations(actions)) throw new Error("The emitted actions have no code");
  return actions;
}

function isImplementations(value: unknown): value is ActionImplementations {
  return isRecord(value) &&
    Object.values(value).every((one) =>
      isRecord(one) && isRecord(one["input"]) &&
      (one["execute"] === null || typeof one["execute"] === "function")
    );
}
