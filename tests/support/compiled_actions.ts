/** A project with actions, really compiled: its emitted `src/actions.ts` runs in this process against the API under test. */
import { readCompileHost } from "../../container/host.ts";
import {
  compile,
  type CompileHost,
  type CompileRequest,
  type RawFiles,
} from "../../shared/compiler/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { AppOptions } from "../../shared/runtime/mod.ts";
import type { ActionImplementations } from "../../shared/surface/action_implementation.ts";
import { type AuthoredCode, NO_CODE } from "../../shared/surface/authored_code.ts";
import { type ApiOptions, type ApiUnderTest, isRecord, withApi } from "./api.ts";
import { withTempFolder } from "./temp_folder.ts";

/** The code of a compiled project, as `createApp` takes it. */
export type CompiledCode = Required<
  Pick<AppOptions, "actions" | "schema" | "env" | "authored">
>;

export interface Compiled {
  readonly model: ProjectModel;
  readonly code: CompiledCode;
}

export function withCompiledActions(
  files: RawFiles,
  body: (api: ApiUnderTest) => Promise<void>,
  options: ApiOptions = {},
): Promise<void> {
  return withCompiled(
    files,
    ({ model, code }) => withApi(model, body, { ...options, actions: code }),
  );
}

/** Hundreds of files, the same for every compile of a process. */
let host: CompileHost | null = null;

/** The runtime that an output carries stays unwritten: emitted code runs on this repository's own, which it is a copy of. */
const VENDORED = "src/quickback/";
const CARRIED = /^((?:import|export)\b.*)"(?:\.{1,2}\/)+quickback\//gm;
const OWN = new URL("../../shared/", import.meta.url).href;

export function withCompiled(
  files: RawFiles,
  body: (compiled: Compiled) => Promise<void>,
  request: CompileRequest = {},
): Promise<void> {
  host ??= readCompileHost({ version: "0.0.0" });
  const result = compile(files, host, request);
  if (!result.ok) throw new Error(JSON.stringify(result.errors, null, 2));
  return withTempFolder(async (folder) => {
    for (const { path, content } of result.files) {
      if (path.startsWith(VENDORED)) continue;
      const target = `${folder}/${path}`;
      await Deno.mkdir(target.slice(0, target.lastIndexOf("/")), { recursive: true });
      await Deno.writeTextFile(target, content.replaceAll(CARRIED, `$1"${OWN}`));
    }
    const actions: unknown = await import(`file://${folder}/src/actions.ts`);
    const services: unknown = await import(`file://${folder}/src/services.ts`);
    if (!isRecord(actions) || !isRecord(actions["schema"]) || !isRecord(services)) {
      throw new Error("No actions were emitted");
    }
    const code = {
      actions: implementationsIn(actions["actions"]),
      schema: actions["schema"],
      authored: authoredIn(services["authored"]),
      env: { GREETING: "hello" },
    };
    await body({ model: result.model, code });
  });
}

function authoredIn(authored: unknown): AuthoredCode {
  if (!isAuthored(authored)) throw new Error("The emitted services are no bundle of code");
  return authored;
}

/** Its members are typed where they were emitted; here only that they are there. */
function isAuthored(value: unknown): value is AuthoredCode {
  return isRecord(value) && Object.keys(NO_CODE).every((name) => Object.hasOwn(value, name));
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
