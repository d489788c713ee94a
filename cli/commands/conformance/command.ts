/**
 * Runs `conformance <url>`: calls every route as every class of callers at a live API, and reports answers that its definitions
 * forbid (definitions 8).
 */
import {
  readTenantPlace,
  systemClock as clock,
  systemRandomness as random,
  type TenantPlace,
} from "../../../library/platform/mod.ts";
import type { ConformanceReport } from "../../../proof/conformance/report.ts";
import { mismatchText, summaryLine, uncoveredTexts } from "../../../proof/conformance/report.ts";
import { runConformance } from "../../../proof/conformance/run_conformance.ts";
import { apiKeySeed, clientGrantSeed, insertAccounts } from "../../../proof/rows/mod.ts";
import { sessionSeed } from "../../../proof/rows/mod.ts";
import type { World } from "../../../proof/rows/mod.ts";
import { sessionCookieFor } from "../../../shared/accounts/mod.ts";
import { isPerOrganization } from "../../../shared/model/mod.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { isJsonObject, parsedJson } from "../../../shared/lib/json.ts";
import { conformanceEntries } from "../../../shared/oracle/manifest.ts";
import { unscopedText } from "../../../shared/oracle/unscoped_tables.ts";
import {
  type ClientToken,
  createClientTokenMint,
  createTokenMint,
  type Database,
  type ProjectModel,
} from "../../../shared/runtime/mod.ts";
import { requestWith } from "../../action_input_schemas.ts";
import type { Arguments } from "../../command.ts";
import { CommandError, EnvironmentError, type ExitCode, UsageError } from "../../exit_codes.ts";
import { openPlaces } from "./open_places.ts";
import { reportValidation } from "../../compile_report.ts";
import type { Findings } from "../../findings.ts";
import type { Output } from "../../output.ts";
import { readProjectFolder, readTextFile, withoutMigrationState } from "../../project_folder.ts";
import type { Terminal } from "../../terminal.ts";

export async function conformance(args: Arguments, output: Output): Promise<ExitCode> {
  const text = args.positionals[0] ?? "";
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${text}" is no address of an API; write one like http://localhost:8000`);
  }
  const origin = url.origin;
  if (!LOOPBACK.test(url.hostname) && !args.flags.has("yes")) {
    throw new CommandError(
      `${origin} is not on this machine, and rows are written into its database; say --yes if that is what you want`,
    );
  }
  const folder = args.values.get("project");
  if (folder === undefined) throw new UsageError("Say which definitions: --project <folder>");
  const check = await checkConformance({
    origin,
    folder,
    databaseUrl: variable("DATABASE_URL", "the API's database, in which rows are put"),
    databaseAuthToken: Deno.env.get("DATABASE_AUTH_TOKEN") ?? null,
    tenants: readTenantPlace(Deno.env),
    authSecret: variable("AUTH_SECRET", "the API's secret, with which callers are signed"),
    baseUrl: Deno.env.get("BASE_URL") ?? origin,
    given: await givenHeaders(args.values.get("credentials")),
    onProgress: (text) => output.progress(text),
  });
  if (check.kind === "failed") return reportValidation(check.findings, output);
  output.result({ ...check.report });
  return reportConformance(check.report, output);
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function variable(name: string, what: string): string {
  const value = Deno.env.get(name) ?? "";
  if (value !== "") return value;
  throw new CommandError(`${name} is not set: it must be ${what}`);
}

/** Reads a file such as `{ "delegate:kiosk/reader": { "authorization": "Kiosk …" } }`. */
async function givenHeaders(
  path: string | undefined,
): Promise<Readonly<Record<string, Readonly<Record<string, string>>>>> {
  if (path === undefined) return {};
  const text = await readTextFile(path);
  if (text === null) throw new CommandError(`There is no file "${path}"`);
  const given = parsedJson(text);
  if (given === undefined) throw new CommandError(`"${path}" is no JSON`);
  if (!isHeadersByName(given)) {
    throw new CommandError(
      `"${path}" must be an object of principals with an object of headers each`,
    );
  }
  return given;
}

function isHeadersByName(
  value: unknown,
): value is Readonly<Record<string, Readonly<Record<string, string>>>> {
  return isJsonObject(value) &&
    Object.values(value).every((headers) =>
      isJsonObject(headers) && Object.values(headers).every((one) => typeof one === "string")
    );
}

/** Maximum number of listed mismatches. Further ones are counted, and `--json` contains them. */
const MISMATCHES_LISTED_MAX = 50;

/** Prints the report; returns 0 if the API matches its definitions. */
export function reportConformance(report: ConformanceReport, terminal: Terminal): ExitCode {
  const { mismatches, uncovered, unscoped } = report;
  const { out, outColors } = terminal;
  for (const mismatch of mismatches.slice(0, MISMATCHES_LISTED_MAX)) {
    out(`${outColors.red("mismatch")} ${mismatchText(mismatch)}`);
  }
  const hidden = mismatches.length - MISMATCHES_LISTED_MAX;
  if (hidden > 0) out(`and ${hidden} more: --json lists all`);
  for (const text of uncoveredTexts(uncovered)) out(outColors.dim(text));
  for (const table of unscoped) out(unscopedText(table));
  out(summaryLine(report));
  return mismatches.length === 0 ? 0 : 1;
}

interface LiveApi {
  /** Origin, such as `http://localhost:8000`. */
  readonly origin: string;
  readonly folder: string;
  readonly databaseUrl: string;
  readonly databaseAuthToken: string | null;
  readonly tenants: TenantPlace;
  readonly authSecret: string;
  /** Base address that the API itself states, which is the audience of its tokens. */
  readonly baseUrl: string;
  /** Headers of classes for which the command cannot create a credential. */
  readonly given: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly onProgress: (text: string) => void;
}

type ConformanceCheck =
  | { readonly kind: "failed"; readonly findings: Findings }
  | { readonly kind: "checked"; readonly report: ConformanceReport };

async function checkConformance(live: LiveApi): Promise<ConformanceCheck> {
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
  const isApart = isPerOrganization(model);
  try {
    const response = await fetch(`${live.origin}/health`);
    await response.body?.cancel();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new EnvironmentError(`Nothing answers at ${live.origin}; start the API first`);
  }
  const { database, organizations, close } = await openPlaces(live, isApart);
  try {
    const report = await runConformance(model, {
      api: {
        origin: live.origin,
        fetch: (request) => fetch(request),
        wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      },
      database,
      ...(organizations ? { organizations } : {}),
      clock,
      random,
      credentialsOf: credentialsFor(model, live, database),
    }, { entries: conformanceEntries(model, places), places, onProgress: live.onProgress });
    return { kind: "checked", report };
  } finally {
    await close();
  }
}

type CallerHeaders = Readonly<Record<string, string>>;

/** Creates credentials. Tokens are signed with the API's own secret; API keys are inserted into its tables. */
function credentialsFor(
  model: ProjectModel,
  live: LiveApi,
  database: Database,
): (world: World) => Promise<CallerHeaders | string> {
  const settings = {
    baseUrl: live.baseUrl,
    authSecret: new TextEncoder().encode(live.authSecret),
  };
  const mint = createTokenMint(model, { settings, clock, random });
  const mintClient = createClientTokenMint(model, { settings, clock, random });
  const keys = new Map<string, string>();
  const tokens = new Map<string, ClientToken>();
  const cookies = new Map<string, string>();
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
      case "oauth": {
        const token = tokens.get(name) ?? await insertedGrant(world, database);
        tokens.set(name, token);
        if (mintClient === null) return "the project takes no tokens";
        return { authorization: `Bearer ${(await mintClient(token)).token}` };
      }
      case "session": {
        const cookie = cookies.get(name) ?? await insertedSession(world, database, settings);
        cookies.set(name, cookie);
        return { cookie, origin: live.baseUrl };
      }
      default:
        return "only the project's own code knows its credential; give headers with --credentials";
    }
  };
}

async function insertedKey(world: World, database: Database): Promise<string> {
  const seed = await apiKeySeed(world, random, clock.now());
  await insertAccounts(database, seed.statements);
  return seed.key;
}

/** Returns the `Cookie` header of a session. */
async function insertedSession(
  world: World,
  database: Database,
  settings: { readonly authSecret: Uint8Array; readonly baseUrl: string },
): Promise<string> {
  const seed = sessionSeed(world, random, clock.now());
  await insertAccounts(database, seed.statements);
  return await sessionCookieFor(seed.token, settings);
}

async function insertedGrant(world: World, database: Database): Promise<ClientToken> {
  const seed = clientGrantSeed(world, clock.now());
  await insertAccounts(database, seed.statements);
  const { clientId, grantId, scopes } = seed;
  return { userId: world.home.userId, clientId, grantId, scopes, audience: "api" };
}
