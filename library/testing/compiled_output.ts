/** A compiled output with all that its API needs: modules, migrations, seed. */
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrations } from "../platform/mod.ts";
import { VERSION } from "../../shared/contract/mod.ts";
import { isJsonObject, parsedJson } from "../../shared/lib/json.ts";
import type { SeedModel } from "../../shared/model/mod.ts";
import type { Migration } from "../../shared/runtime/mod.ts";
import { withCompiled } from "./compile_definitions.ts";
import { type CompiledModules, compiledModules, isRecord, textIn } from "./compiled_modules.ts";

export interface CompiledOutput extends CompiledModules {
  readonly migrations: readonly Migration[];
  /** Null: the project has none. */
  readonly seed: SeedModel | null;
}

/** Loaded outputs. A process keeps modules anyway, so each output is loaded and compiled once. */
const LOADED = new Map<string, Promise<CompiledOutput>>();

/**
 * Returns the output at a place: its folder, its `src/project.ts`, or a folder of definitions, which is compiled first. Throws
 * if there is none, or if it has another version.
 */
export function compiledOutput(place: string | URL): Promise<CompiledOutput> {
  const isAddress = place instanceof URL || place.startsWith("file:");
  const folder = resolve(isAddress ? fileURLToPath(place) : place).replace(MODEL, "");
  const known = LOADED.get(folder);
  if (known !== undefined) return known;
  const found = load(folder);
  LOADED.set(folder, found);
  // A failed place may be fixed and asked for again.
  found.catch(() => LOADED.delete(folder));
  return found;
}

const MODEL = /[\\/]src[\\/]project\.ts$/;

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
  return {
    ...await compiledModules(folder),
    migrations: await readMigrations(join(folder, "quickback/drizzle/features")),
    seed: seedIn(await textIn(folder, "seed.json")),
  };
}

function seedIn(text: string | null): SeedModel | null {
  if (text === null) return null;
  const seed: unknown = parsedJson(text);
  if (isSeed(seed)) return seed;
  throw new Error('"seed.json" of the output is not that of a compile; compile again');
}

/** Refuses an output of another version, whose model this runtime may not understand. */
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

function isSeed(value: unknown): value is SeedModel {
  return isRecord(value) &&
    ["organizations", "users", "rows"].every((name) => Array.isArray(value[name]));
}
