/** Holds a living API against the definitions in a folder: makes the callers, opens the database, runs (contract 4.7, definitions 8). */
import {
  openDatabase,
  systemClock as clock,
  systemRandomness as random,
} from "../../../platform/mod.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { apiKeySeed, insertApiKey } from "../../../proof/rows/api_key_seed.ts";
import { conformanceEntries } from "../../../shared/oracle/manifest.ts";
import type { ConformanceReport } from "../../../proof/conformance/report.ts";
import { runConformance } from "../../../proof/conformance/run_conformance.ts";
import type { World } from "../../../proof/rows/world.ts";
import { createTokenMint, type Database, type ProjectModel } from "../../../shared/runtime/mod.ts";
import { requestWith } from "../../action_input_schemas.ts";
import { CommandError } from "../../command.ts";
import type { Findings } from "../../compile_report.ts";
import { readProjectFolder, withoutMigrationState } from "../../project_folder.ts";

interface LiveApi {
  /** `http://localhost:8000`. */
  readonly origin: string;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly authSecret: string;
  /** Base address that the API itself states: the audience of its tokens. */
  readonly baseUrl: string;
  /** Headers of classes for which no credential can be made here. */
  readonly given: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly onProgress: (text: string) => void;
}

type ConformanceCheck =
  | { readonly kind: "failed"; readonly findings: Findings }
  | { readonly kind: "checked"; readonly report: ConformanceReport };

export async function checkConformance(live: LiveApi): Promise<ConformanceCheck> {
  const { rawFiles, inputSchemas } = await readProjectFolder(live.folder);
  const definitions = withoutMigrationState(rawFiles);
  const validation = validate(definitions, undefined, requestWith(inputSchemas));
  if (!validation.ok) {
    const { errors, warnings } = validation;
    return {
      kind: "failed",
      findings: { errors, warnings, sources: rawFiles, folder: live.folder },
    };
  }
  const { model, places } = validation;
  const { databaseUrl: url, databaseAuthToken: authToken } = live;
  await requireAnswer(live.origin);
  const database = await openDatabase({ url, ...(authToken === null ? {} : { authToken }) });
  try {
    const report = await runConformance(model, {
      api: { origin: live.origin, fetch: (request) => fetch(request), wait },
      database,
      clock,
      random,
      credentialsOf: credentialsFor(model, { live, database }),
    }, { entries: conformanceEntries(model, places), places, onProgress: live.onProgress });
    return { kind: "checked", report };
  } finally {
    await database.close();
  }
}

async function requireAnswer(origin: string): Promise<void> {
  try {
    const response = await fetch(`${origin}/health`);
    await response.body?.cancel();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new CommandError(`Nothing answers at ${origin}; start the API first`);
  }
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

type CallerHeaders = Readonly<Record<string, string>>;

/** Tokens are signed with the API's own secret, as anybody who has it could; keys are put into its tables. */
function credentialsFor(
  model: ProjectModel,
  { live, database }: { readonly live: LiveApi; readonly database: Database },
): (world: World) => Promise<CallerHeaders | string> {
  const settings = {
    baseUrl: live.baseUrl,
    authSecret: new TextEncoder().encode(live.authSecret),
  };
  const mint = createTokenMint(model, { settings, clock, random });
  const keys = new Map<string, string>();
  return async (world) => {
    const { name, caller } = world;
    if (Object.hasOwn(live.given, name)) return live.given[name] ?? {};
    switch (caller.credential) {
      case "none":
        return {};
      case "token":
      case "scope":
        if (mint === null) return "the project takes no tokens; give headers with --credentials";
        return { authorization: `Bearer ${(await mint(caller)).token}` };
      case "apiKey": {
        const key = keys.get(name) ?? await insertedKey(world, database);
        keys.set(name, key);
        return { "x-api-key": key };
      }
      default:
        return "only the project's own code knows its credential; give headers with --credentials";
    }
  };
}

async function insertedKey(world: World, database: Database): Promise<string> {
  const seed = await apiKeySeed(world, { random, now: clock.now() });
  await insertApiKey(database, seed);
  return seed.key;
}
