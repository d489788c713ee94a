/**
 * `conformance <url>`: sends every route for every class of callers to a living API, and reports answers that its
 * definitions forbid (definitions 8).
 */
import { isJsonObject, parsedJson } from "../../../shared/lib/json.ts";
import { checkConformance } from "./check_conformance.ts";
import { type Arguments, CommandError, type ExitCode, UsageError } from "../../command.ts";
import { reportValidation } from "../../compile_report.ts";
import type { Output } from "../../output.ts";
import { reportConformance } from "./conformance_report.ts";
import { readTextFile } from "../../project_folder.ts";

export async function conformance(args: Arguments, output: Output): Promise<ExitCode> {
  const origin = originOf(args.positionals[0] ?? "");
  requireConsent(origin, args);
  const folder = args.values.get("project");
  if (folder === undefined) throw new UsageError("Say which definitions: --project <folder>");
  const check = await checkConformance({
    origin,
    folder,
    databaseUrl: variable("DATABASE_URL", "the API's database, in which rows are put"),
    databaseAuthToken: Deno.env.get("DATABASE_AUTH_TOKEN") ?? null,
    authSecret: variable("AUTH_SECRET", "the API's secret, with which callers are signed"),
    baseUrl: Deno.env.get("BASE_URL") ?? origin,
    given: await givenHeaders(args.values.get("credentials")),
    onProgress: (text) => output.err(text),
  });
  if (check.kind === "failed") return reportValidation(check.findings, output);
  output.result({ ...check.report });
  return reportConformance(check.report, output);
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`"${text}" is no address of an API; write one like http://localhost:8000`);
  }
  return url.origin;
}

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

function requireConsent(origin: string, { flags }: Arguments): void {
  if (LOOPBACK.test(new URL(origin).hostname) || flags.has("yes")) return;
  throw new CommandError(
    `${origin} is not on this machine, and rows are written into its database; say --yes if that is what you want`,
  );
}

function variable(name: string, what: string): string {
  const value = Deno.env.get(name) ?? "";
  if (value !== "") return value;
  throw new CommandError(`${name} is not set: it must be ${what}`);
}

/** `{ "delegate:kiosk/reader": { "authorization": "Kiosk …" } }`. */
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
