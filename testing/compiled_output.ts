/** A compiled output, loaded into this process: its model, its author's code, its migrations and descriptions. */
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readMigrations } from "../platform/mod.ts";
import { VERSION } from "../shared/contract/version.ts";
import { isJsonObject, parsedJson } from "../shared/lib/json.ts";
import type { SeedModel } from "../shared/model/seed.ts";
import { inOneDatabase } from "../shared/model/tenancy.ts";
import type { Migration, ProjectModel } from "../shared/runtime/mod.ts";
import type { ActionImplementations } from "../shared/surface/action_implementation.ts";
import { type AuthoredCode, NO_CODE } from "../shared/surface/authored_code.ts";
import { withCompiled } from "./compile_definitions.ts";

export interface CompiledOutput {
  /** With all organizations in one database, whatever the project says: the layers are the same. */
  readonly project: ProjectModel;
  readonly actions: ActionImplementations;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly authored: AuthoredCode;
  readonly migrations: readonly Migration[];
  /** Null: the project has none. */
  readonly seed: SeedModel | null;
  /** Texts of the descriptions; null: the project has none. */
  readonly openapi: string | null;
  readonly asyncapi: string | null;
}

/** Modules are kept by a process anyway: each output is loaded once, and definitions are compiled once. */
const LOADED = new Map<string, Promise<CompiledOutput>>();

/**
 * The output at a place: its folder, its `src/project.ts`, or a folder of definitions, which is compiled first. Throws when
 * there is none, or one of another version.
 */
export function compiledOutput(place: string | URL): Promise<CompiledOutput> {
  const folder = folderOf(place);
  return LOADED.getOrInsertComputed(folder, async () => {
    const found = load(folder);
    // A place that was put right may be asked for again.
    found.catch(() => LOADED.delete(folder));
    return await found;
  });
}

const MODEL = /[\\/]src[\\/]project\.ts$/;

function folderOf(place: string | URL): string {
  const isAddress = place instanceof URL || place.startsWith("file:");
  return resolve(isAddress ? fileURLToPath(place) : place).replace(MODEL, "");
}

async function load(folder: string): Promise<CompiledOutput> {
  if (await textIn(folder, "src/project.ts") !== null) return await loadOutput(folder);
  if (await textIn(folder, "quickback/quickback.config.ts") !== null) {
    return await withCompiled(folder, loadOutput);
  }
  throw new Error(
    `"${folder}" is neither an output nor a folder of definitions: name what 'quickback compile' wrote, or the folder ` +
      "that has quickback/quickback.config.ts",
  );
}

async function loadOutput(folder: string): Promise<CompiledOutput> {
  await requireVersion(folder);
  const module = async (name: string): Promise<Readonly<Record<string, unknown>>> =>
    await import(pathToFileURL(join(folder, "src", name)).href);
  const { project } = await module("project.ts");
  const { actions, schema } = await module("actions.ts");
  const { authored } = await module("services.ts");
  if (!isProject(project) || !isActions(actions) || !isRecord(schema) || !isAuthored(authored)) {
    throw new Error(`The modules in "${folder}/src" are not those of a compile; compile again`);
  }
  return {
    project: inOneDatabase(project),
    actions,
    schema,
    authored,
    migrations: await readMigrations(join(folder, "quickback/drizzle/features")),
    seed: seedIn(await textIn(folder, "seed.json")),
    openapi: await textIn(folder, "openapi.json"),
    asyncapi: await textIn(folder, "asyncapi.json"),
  };
}

function seedIn(text: string | null): SeedModel | null {
  if (text === null) return null;
  const seed: unknown = parsedJson(text);
  if (isSeed(seed)) return seed;
  throw new Error('"seed.json" of the output is not that of a compile; compile again');
}

/** An output of another version has a model that this runtime may not understand. */
async function requireVersion(folder: string): Promise<void> {
  const config = parsedJson(await textIn(folder, "deno.json") ?? "");
  const facts = isJsonObject(config) ? config["quickback"] : undefined;
  const version = isJsonObject(facts) ? facts["compiler"] : undefined;
  if (version === VERSION) return;
  const maker = typeof version === "string" ? `version ${version}` : "an unknown version";
  throw new Error(
    `The output in "${folder}" was made by ${maker}, and this is quickback/testing of ${VERSION}; compile again, or run ` +
      "the tests with the output's own deno.json",
  );
}

async function textIn(folder: string, path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(join(folder, path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return null;
    }
    throw error;
  }
}

function isProject(value: unknown): value is ProjectModel {
  return isRecord(value) && Array.isArray(value["tables"]) && Array.isArray(value["resources"]);
}

function isSeed(value: unknown): value is SeedModel {
  return isRecord(value) &&
    ["organizations", "users", "rows"].every((name) => Array.isArray(value[name]));
}

function isActions(value: unknown): value is ActionImplementations {
  return isRecord(value) && Object.values(value).every(isRecord);
}

function isAuthored(value: unknown): value is AuthoredCode {
  return isRecord(value) && Object.keys(NO_CODE).every((name) => Object.hasOwn(value, name));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
