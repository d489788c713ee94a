/** `why <folder> <method> <path>`: which layer decides about a request, by which rule, on which values (docs/proof.md). */
import { routeFinder } from "../../../proof/why/route_at.ts";
import { type Why, why } from "../../../proof/why/why.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { RUNTIME_CODES } from "../../../shared/contract/mod.ts";
import type { Principal, ProjectModel, TableModel } from "../../../shared/model/mod.ts";
import { placeText } from "../../../shared/oracle/places.ts";
import { SCOPE_PARAMETER } from "../../../shared/surface/mod.ts";
import { requestWith } from "../../action_input_schemas.ts";
import type { Arguments, Output } from "../../command.ts";
import { type ExitCode, UsageError } from "../../exit_codes.ts";
import { reportValidation } from "../../compile_report.ts";
import { requireJudgedRules } from "../../judged_rules.ts";
import { readProjectFolder, withoutMigrationState } from "../../project_folder.ts";
import type { Terminal } from "../../terminal.ts";
import { callerText, readCaller } from "./read_caller.ts";
import { type GivenRow, readObject, readRow, storedRow } from "./read_row.ts";

const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

export async function explain(
  { positionals: [folder = ".", method = "", target = ""], values }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const as = values.get("as");
  if (as === undefined) throw new UsageError("Say who asks: --as anonymous, or --as member");
  if (!METHODS.includes(method)) {
    throw new UsageError(`"${method}" is no method; one of ${METHODS.join(", ")}`);
  }
  const { rawFiles, inputSchemas } = await readProjectFolder(folder);
  const result = validate(
    withoutMigrationState(rawFiles),
    undefined,
    requestWith(inputSchemas),
  );
  if (!result.ok) {
    const { errors, warnings } = result;
    return reportValidation({ errors, warnings, sources: rawFiles, folder }, output);
  }
  requireJudgedRules(result.model);
  const request = routeRequestOf({
    method,
    target,
    model: result.model,
    caller: readCaller(as, result.model),
  });
  const row = await rowOf(request, values);
  const body = values.get("body");
  const answer = why({
    ...request,
    row,
    body: body === undefined ? null : readObject("--body", body),
  }, result);
  const caller = callerText(request.caller);
  printWhy(`${method} ${target}`, caller, answer, output);
  output.result(jsonOf(answer, caller));
  return 0;
}

interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly caller: Principal;
  readonly namedOrganization: string | null;
  readonly model: ProjectModel;
}

function routeRequestOf(
  { target, ...request }: Pick<RouteRequest, "method" | "caller" | "model"> & {
    readonly target: string;
  },
): RouteRequest {
  if (!target.startsWith("/")) {
    throw new UsageError(`A path begins with a slash, as in /api/v1/…; "${target}" does not`);
  }
  const url = new URL(target, "http://why.invalid");
  return {
    ...request,
    path: url.pathname,
    namedOrganization: url.searchParams.get(SCOPE_PARAMETER),
  };
}

/** Undefined: nothing is known of it. */
async function rowOf(
  { model, caller, namedOrganization, ...request }: RouteRequest,
  values: ReadonlyMap<string, string>,
): Promise<GivenRow | null | undefined> {
  const [text, url] = [values.get("row"), values.get("database")];
  if (text === undefined && url === undefined) return undefined;
  if (text !== undefined && url !== undefined) {
    throw new UsageError("Give the record by --row or by --database, not by both");
  }
  const match = routeFinder(model)(request);
  const table: TableModel | null = match.kind === "ruled" ? match.route.table : null;
  if (match.kind !== "ruled" || table === null) return undefined;
  const acting = { ...caller, organizationId: caller.organizationId ?? namedOrganization };
  if (text !== undefined) return readRow(text, table, acting);
  const { id } = match.parameters;
  if (url === undefined || id === undefined) {
    throw new UsageError("--database reads one record: the path must name it");
  }
  return await storedRow(url, table, id);
}

/** Places as people write them. */
function jsonOf({ steps, open, masks, ...answer }: Why, caller: string) {
  return {
    caller,
    ...answer,
    steps: steps.map(({ place, compared, ...step }) => ({
      ...step,
      place: place === null ? null : placeText(place),
      compared: compared.map((one) => ({ ...one, place: placeText(one.place) })),
    })),
    open: open.map((one) => ({ ...one, place: placeText(one.place) })),
    masks: masks.map((one) => ({ ...one, place: placeText(one.place) })),
  };
}

function printWhy(
  /** `GET /api/v1/tickets/t1`. */
  request: string,
  /** The caller as it was read, in words. */
  caller: string,
  answer: Why,
  { out, outColors }: Terminal,
) {
  out(outColors.bold(`${request} as ${caller}`));
  for (const step of answer.steps) {
    out(
      `  ${step.passed ? "ok  " : "no  "} ${step.layer.padEnd(15)} ${
        step.rule === "" ? "every row" : step.rule
      }`,
    );
    if (step.place !== null) out(`                       ${placeText(step.place)}`);
    for (const { condition, actual, wanted, holds } of step.compared) {
      const values = `${JSON.stringify(actual)} against ${JSON.stringify(wanted)}`;
      out(`                       ${holds ? "holds" : "fails"}: ${condition}: ${values}`);
    }
  }
  for (const { rule, place } of answer.open) {
    out(`  ?    row             ${rule}`);
    out(`                       ${placeText(place)}`);
  }
  out("");
  out(verdict(answer));
  for (const { column, type, shown, rule, place } of answer.masks) {
    out(`  ${column} ${SHOWN[shown]} (${type}): ${rule}`);
    out(`    ${placeText(place)}`);
  }
}

const SHOWN = {
  plain: "is plain",
  masked: "is masked",
  byRow: "is plain in the caller's own rows only",
} as const;

function verdict({ status, code, open, isListed }: Why): string {
  if (code !== null) return `${status} ${code}: ${RUNTIME_CODES[code].title}`;
  if (isListed !== null) return `${status}: the row is ${isListed ? "" : "not "}in the answer`;
  const rows = open.length === 0 ? "" : ", for rows that meet what is marked with ?";
  return `${status}: nothing refuses this${rows}`;
}
