/** The modules of a compiled output, loaded into this process: its model, its author's code, its descriptions. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ifThere } from "../platform/if_there.ts";
import { inOneDatabase, type ProjectModel } from "../../shared/model/mod.ts";
import { NO_CODE } from "../../shared/surface/mod.ts";
import type { ActionImplementations, AuthoredCode } from "../../shared/surface/mod.ts";

export interface CompiledModules {
  /** The project with all organizations in one database. Its layers are the same. */
  readonly project: ProjectModel;
  readonly actions: ActionImplementations;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly authored: AuthoredCode;
  /** Text of the description; null: the project has none. */
  readonly openapi: string | null;
  readonly asyncapi: string | null;
}

/** Loads the modules, which runs the author's top-level code. Throws if they are not those of a compile. */
export async function compiledModules(folder: string): Promise<CompiledModules> {
  const { actions, schema } = await compiledModule(folder, "src/actions.ts");
  const { authored } = await compiledModule(folder, "src/services.ts");
  const { project } = await compiledModule(folder, "src/project.ts");
  if (!isProject(project) || !isActions(actions) || !isRecord(schema) || !isAuthored(authored)) {
    throw new Error(`The modules in "${folder}/src" are not those of a compile; compile again`);
  }
  return {
    project: inOneDatabase(project),
    actions,
    schema,
    authored,
    openapi: await textIn(folder, "openapi.json"),
    asyncapi: await textIn(folder, "asyncapi.json"),
  };
}

/** Returns the exports of one module by its output path. */
export async function compiledModule(
  folder: string,
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  return await import(pathToFileURL(join(folder, path)).href);
}

/** Returns the text of a file; null: it does not exist. */
export async function textIn(folder: string, path: string): Promise<string | null> {
  return await ifThere(Deno.readTextFile(join(folder, path)));
}

function isProject(value: unknown): value is ProjectModel {
  return isRecord(value) && Array.isArray(value["tables"]) && Array.isArray(value["resources"]);
}

function isActions(value: unknown): value is ActionImplementations {
  return isRecord(value) && Object.values(value).every(isRecord);
}

function isAuthored(value: unknown): value is AuthoredCode {
  return isRecord(value) && Object.keys(NO_CODE).every((name) => Object.hasOwn(value, name));
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
