/**
 * Runs `why <folder> <method> <path>`: explains which layer decides about a request, by which rule and by which values
 * (docs/proof.md).
 */
import { routeFinder } from "../../../proof/why/route_at.ts";
import { type Why, why } from "../../../proof/why/why.ts";
import type { WhyQuestion } from "../../../proof/why/why_question.ts";
import { validate } from "../../../shared/compiler/mod.ts";
import { RUNTIME_CODES } from "../../../shared/contract/mod.ts";
import type { Principal, ProjectModel, RowPredicate } from "../../../shared/model/mod.ts";
import type { TableModel } from "../../../shared/model/mod.ts";
import type { ChainLink } from "../../../shared/oracle/chain.ts";
import type { World } from "../../../shared/oracle/judge.ts";
import { placeText } from "../../../shared/oracle/places.ts";
import type { RuledRoute } from "../../../shared/oracle/routes.ts";
import { accessPredicates, relationsIn, SCOPE_PARAMETER } from "../../../shared/surface/mod.ts";
import { requestWith } from "../../action_input_schemas.ts";
import type { Arguments, Output } from "../../command.ts";
import { type ExitCode, UsageError } from "../../exit_codes.ts";
import { reportValidation } from "../../compile_report.ts";
import { readProjectFolder, withoutMigrationState } from "../../project_folder.ts";
import type { Terminal } from "../../terminal.ts";
import { callerText, readCaller } from "./read_caller.ts";
import { readObject, readRelated, readRow, storedRow } from "./read_row.ts";

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
  const request = routeRequestOf({
    method,
    target,
    model: result.model,
    caller: readCaller(as, result.model),
  });
  const known = await rowOf(request, values);
  const body = values.get("body");
  const answer = why({
    ...request,
    ...known,
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

/** Returns the known values of the row, and of rows to which its relations lead. */
async function rowOf(
  { model, caller, namedOrganization, ...request }: RouteRequest,
  values: ReadonlyMap<string, string>,
): Promise<Pick<WhyQuestion, "row" | "world">> {
  const [text, url, related] = ["row", "database", "related"].map((name) => values.get(name));
  if (text === undefined && related !== undefined) {
    throw new UsageError("--related goes with --row: what stands in it leads to those rows");
  }
  if (text === undefined && url === undefined) return { row: undefined };
  if (text !== undefined && url !== undefined) {
    throw new UsageError("Give the record by --row or by --database, not by both");
  }
  const match = routeFinder(model)(request);
  const table: TableModel | null = match.kind === "ruled" ? match.route.table : null;
  if (match.kind !== "ruled" || table === null) return { row: undefined };
  const predicates = predicatesOf(match.route, table);
  const { id } = match.parameters;
  if (text === undefined) {
    if (url === undefined || id === undefined) {
      throw new UsageError("--database reads one record: the path must name it");
    }
    return await storedRow(url, { table, id, predicates, model });
  }
  const acting = { ...caller, organizationId: caller.organizationId ?? namedOrganization };
  const given = readRow(text, table, acting);
  if (given === null) return { row: null };
  const world = related === undefined ? undefined : readRelated(related, model, acting);
  requireRelated(world, predicates);
  const row = id === undefined ? given : { [table.primaryKey]: id, ...given };
  return world === undefined ? { row } : { row, world };
}

/** Returns every predicate that a route applies to its record: the firewall, its rule and the masks. */
function predicatesOf({ access, subject }: RuledRoute, table: TableModel): readonly RowPredicate[] {
  const { resource } = subject.operation;
  const masks = resource !== null && "masks" in resource ? Object.values(resource.masks) : [];
  return [
    ...table.firewall.flatMap((one) => one.kind === "rule" ? [one.predicate] : []),
    ...accessPredicates(access),
    ...masks.flatMap(({ showRows }) => showRows ? [showRows] : []),
  ];
}

/** Refuses a question whose rules need rows that are not given. */
function requireRelated(world: World | undefined, predicates: readonly RowPredicate[]): void {
  const missing = [
    ...new Set(predicates.flatMap(relationsIn).map(({ relation }) => relation.table)),
  ]
    .filter((name) => !world?.has(name));
  const [first] = missing;
  if (first === undefined) return;
  throw new UsageError(
    `The rules ask rows of ${missing.join(", ")}, too. Give them by ` +
      `--related '{"${first}":[…]}', an empty list where there is none, or read all by --database`,
  );
}

/** Writes the answer as JSON, with places as people write them. */
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
  /** Request such as `GET /api/v1/tickets/t1`. */
  request: string,
  /** Parsed caller, in words. */
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
    if (step.place !== null) out(`${MARGIN}${placeText(step.place)}`);
    for (const { condition, actual, wanted, holds, chain } of step.compared) {
      if (chain.length > 0) {
        for (const text of chain.flatMap((link) => chainTexts(link))) out(`${MARGIN}${text}`);
        continue;
      }
      const values = `${JSON.stringify(actual)} against ${JSON.stringify(wanted)}`;
      out(`${MARGIN}${holds ? "holds" : "fails"}: ${condition}: ${values}`);
    }
  }
  for (const { rule, place } of answer.open) {
    out(`  ?    row             ${rule}`);
    out(`${MARGIN}${placeText(place)}`);
  }
  out("");
  out(verdict(answer));
  for (const { column, type, shown, rule, place } of answer.masks) {
    out(`  ${column} ${SHOWN[shown]} (${type}): ${rule}`);
    out(`    ${placeText(place)}`);
  }
}

const MARGIN = " ".repeat(23);

/** Maximum number of printed rows of one relation; `--json` contains all. */
const LINKS_MAX = 5;

/** Writes a link and the links below it, each level indented further. */
function chainTexts({ text, holds, of }: ChainLink): readonly string[] {
  const shown = of.slice(0, LINKS_MAX).flatMap(chainTexts);
  const rest = of.length - LINKS_MAX;
  return [
    `${holds ? "holds" : "fails"}: ${text}`,
    ...[...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].map((one) => `  ${one}`),
  ];
}

const SHOWN = {
  plain: "is plain",
  masked: "is masked",
  byRow: "is plain in some rows only",
} as const;

function verdict({ status, code, open, isListed }: Why): string {
  if (code !== null) return `${status} ${code}: ${RUNTIME_CODES[code].title}`;
  if (isListed !== null) return `${status}: the row is ${isListed ? "" : "not "}in the answer`;
  const rows = open.length === 0 ? "" : ", for rows that meet what is marked with ?";
  return `${status}: nothing refuses this${rows}`;
}
