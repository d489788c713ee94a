/** Loads the code of a compiled project into this process: its own copy of the runtime, and the author's code. */
import { parsedJson } from "../../../shared/lib/json.ts";
import type * as Platform from "../../../library/platform/mod.ts";
import type * as Runtime from "../../../shared/runtime/mod.ts";
import {
  compiledModule,
  type CompiledModules,
  compiledModules,
  isRecord,
  textIn,
} from "../../../library/testing/compiled_modules.ts";
import { member } from "../../dev/demo/api_client.ts";

type RuntimeParts = Pick<
  typeof Runtime,
  | "applyMigrations"
  | "createApp"
  | "createSecretBox"
  | "createBackgroundWorker"
  | "databaseQueue"
  | "filesWithAddresses"
  | "memoryPubSub"
>;

type PlatformParts = Pick<typeof Platform, "openDatabase" | "readMigrations">;

export interface CompiledCode extends CompiledModules {
  readonly folder: string;
  readonly runtime: RuntimeParts;
  readonly platform: PlatformParts;
}

/** Loads the code, which runs the top level of the author's modules. */
export async function loadCompiled(folder: string): Promise<CompiledCode> {
  const runtime = await runtimeModule(folder, "quickback/runtime");
  const platform = await runtimeModule(folder, "quickback/platform");
  if (!isRuntime(runtime) || !isPlatform(platform)) {
    throw new Error(`The runtime in "${folder}/src" is not the one of a compile; compile again`);
  }
  return { ...await compiledModules(folder), folder, runtime, platform };
}

/** Imports a module of the output's runtime, as its own import map resolves it. */
async function runtimeModule(
  folder: string,
  name: string,
): Promise<Readonly<Record<string, unknown>>> {
  const target = member(parsedJson(await textIn(folder, "deno.json") ?? ""), "imports", name);
  if (typeof target !== "string") {
    throw new Error(`"${folder}/deno.json" does not say where "${name}" is; compile again`);
  }
  return await compiledModule(folder, target);
}

function isRuntime(value: unknown): value is RuntimeParts {
  return hasFunctions(value, [
    "applyMigrations",
    "createApp",
    "createSecretBox",
    "createBackgroundWorker",
    "databaseQueue",
    "filesWithAddresses",
    "memoryPubSub",
  ]);
}

function isPlatform(value: unknown): value is PlatformParts {
  return hasFunctions(value, ["openDatabase", "readMigrations"]);
}

function hasFunctions(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === "function");
}
