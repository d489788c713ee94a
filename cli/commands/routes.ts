/** Runs `routes [folder]`: lists every route with the callers who may use it, as in the conformance manifest (contract 4.7). */
import { validate } from "../../shared/compiler/mod.ts";
import { conformanceEntries, type ConformanceEntry } from "../../shared/oracle/manifest.ts";
import { ruledRoutesOf } from "../../shared/oracle/routes.ts";
import type { ProjectModel, RecordHookName } from "../../shared/model/mod.ts";
import { hooksByOperation } from "../../shared/surface/mod.ts";
import { requestWith } from "../action_input_schemas.ts";
import type { Arguments, Output } from "../command.ts";
import type { ExitCode } from "../exit_codes.ts";
import { reportValidation } from "../compile_report.ts";
import { readProjectFolder, withoutMigrationState } from "../project_folder.ts";
import { tableText } from "../table_text.ts";

interface Route {
  readonly method: string;
  readonly path: string;
  readonly who: Readonly<Record<string, ConformanceEntry["outcome"]>>;
  /** Author's hooks around the route's writes. Absent if there are none. */
  readonly hooks?: readonly RecordHookName[];
}

/**
 * Matches callers that are omitted without `--all`, because they are combinations of others. The service's own routes are
 * omitted too.
 */
const RARE = /^(?:teamless|outsider|appmanager|sysadmin|apiKey|apiKeyReader|oauthClient|scope)$/;

export async function listRoutes(
  { positionals: [folder = "."], flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  const definitions = withoutMigrationState(rawFiles);
  const result = validate(definitions, undefined, requestWith(inputSchemas));
  if (!result.ok) {
    const { errors, warnings } = result;
    return reportValidation({ errors, warnings, sources: rawFiles, folder }, output);
  }
  const own = new Set(ruledRoutesOf(result.model).map(({ operationId }) => operationId));
  const isAll = flags.has("all");
  const entries = conformanceEntries(result.model, result.places)
    .filter((entry) => isAll || (own.has(entry.operationId) && !RARE.test(entry.principal)));
  const routes = routesOf(entries, result.model);
  output.result({ routes });
  const callers = Object.keys(routes[0]?.who ?? {});
  const head = ["METHOD", "PATH", ...callers.map((name) => name.replace(/^role:/, ""))];
  const rows = routes.map(({ method, path, who }) => [
    method,
    path,
    ...callers.map((name) => MARKS[who[name] ?? "refused"]),
  ]);
  output.out(`${tableText([head, ...rows])}\n\n${LEGEND}${hooksText(routes)}`);
  return 0;
}

/** Returns the routes sorted by path, then by method. */
function routesOf(entries: readonly ConformanceEntry[], model: ProjectModel): readonly Route[] {
  const hooked = hooksByOperation(model);
  const byOperation = Map.groupBy(entries, ({ operationId }) => operationId);
  const routes = [...byOperation.values()].flatMap((own): Route[] => {
    const [first] = own;
    if (first === undefined) return [];
    const who = Object.fromEntries(own.map(({ principal, outcome }) => [principal, outcome]));
    const hooks = hooked.get(first.operationId)?.hooks;
    return [{ method: first.method, path: first.path, who, ...(hooks ? { hooks } : {}) }];
  });
  return routes.sort((a, b) =>
    a.path === b.path
      ? METHODS.indexOf(a.method) - METHODS.indexOf(b.method)
      : a.path < b.path
      ? -1
      : 1
  );
}

/** Returns the lines about hooks; nothing if there are none. */
function hooksText(routes: readonly Route[]): string {
  const lines = routes.flatMap(({ method, path, hooks }) =>
    hooks ? [`${method} ${path}: ${hooks.join(", ")}`] : []
  );
  return lines.length === 0 ? "" : `\n\nHooks, which may refuse a write:\n${lines.join("\n")}`;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const MARKS: Readonly<Record<ConformanceEntry["outcome"], string>> = {
  admitted: "yes",
  conditional: "some",
  refused: "-",
};

const LEGEND =
  "yes: of the records that the firewall lets through, each; some: as each record decides; -: nobody";
