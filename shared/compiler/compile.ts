/** Compiles definitions into files, with one call per phase (docs/architecture.md). It uses no disk, network or clock. */
import type { DefinitionPlaces } from "../oracle/places.ts";
import { atOnce, type Steps } from "../lib/steps.ts";
import type { ProjectModel } from "../model/mod.ts";
import { BUILT_IN_TABLES } from "./built_in/tables.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { Report } from "./diagnostics/report.ts";
import type { CompileHost, GeneratedFile, RawFiles, Stage } from "./host.ts";
import { definitionsOf, type ParsedProject, parsedProjectOf } from "./parsed/parsed_project.ts";
import { read, requireConfig } from "./phases/1-read/read.ts";
import type { SourceFile } from "./phases/1-read/layout.ts";
import { parse } from "./phases/2-parse/parse.ts";
import type { KnownTrees } from "./phases/2-parse/syntax_trees.ts";
import { evaluate } from "./phases/3-evaluate/evaluate.ts";
import { analyze } from "./phases/4-analyze/analyze.ts";
import { definitionPlaces } from "./phases/4-analyze/definition_places.ts";
import { plan } from "./phases/5-plan/plan.ts";
import { checkDataSteps, type KnownDatabases } from "./phases/5-plan/plan_data_steps.ts";
import { planMigrations } from "./phases/5-plan/plan_migrations.ts";
import type { TableExports } from "./phases/6-emit/editor_types.ts";
import { emit } from "./phases/6-emit/emit.ts";
import type { Definitions } from "./phases/values.ts";

export interface Failure {
  readonly ok: false;
  /** Errors, at least one, sorted by place. */
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export type Validation = Failure | {
  readonly ok: true;
  readonly model: ProjectModel;
  readonly tableExports: TableExports;
  /** Places of the definitions, for reports. The output itself contains no places except in its manifest. */
  readonly places: DefinitionPlaces;
  readonly warnings: readonly Diagnostic[];
};

export type Compilation = Failure | {
  readonly ok: true;
  readonly model: ProjectModel;
  readonly tableExports: TableExports;
  readonly places: DefinitionPlaces;
  /** Files sorted by path; the same input gives the same bytes. */
  readonly files: readonly GeneratedFile[];
  readonly warnings: readonly Diagnostic[];
};

type OnProgress = NonNullable<CompileHost["onProgress"]>;

/** Input of a compile besides the files. */
export interface CompileRequest {
  /**
   * JSON Schemas of actions' inputs by `<feature>.<action>` (contract 4.8 rule 2). A network request without any passes `{}`.
   * Absent: contract v2 uses the schemas that can be read from the definitions.
   */
  readonly actionInputSchemas?: Readonly<Record<string, unknown>>;
  /** True when a schema that can be read from the definitions needs no entry, even if others have one. */
  readonly readsSchemas?: boolean;
  /** False when the output depends on the package instead of containing the runtime, unless the project has `build.vendor`. */
  readonly vendor?: boolean;
  /** The result of phases 2 and 3 for the same files, computed elsewhere; `readParsedProject` checks it. */
  readonly parsed?: ParsedProject;
  /**
   * True when the output's databases start empty, so that its history may differ from the numbers in `migrations/`. A data step
   * without a place in it is left out.
   */
  readonly beginsEmpty?: boolean;
  /** Tags of data steps of earlier compiles that no database is known to have run: they may be edited and removed. */
  readonly unrunSteps?: ReadonlySet<string>;
  /** Syntax trees of earlier compiles of the same caller. */
  readonly trees?: KnownTrees;
}

/** Calls back when a phase begins. */
export interface Progress {
  readonly stage: Stage;
  readonly message: string;
}

/** Runs phases 1 to 6. */
export function compile(
  files: RawFiles,
  host: CompileHost,
  request: CompileRequest = {},
): Compilation {
  return atOnce(compileSteps(files, host, request), tell(host.onProgress));
}

/** Runs phases 1 to 5: reports every error in the definitions and in the step from the last migration, without an output. */
export function validate(
  files: RawFiles,
  onProgress?: OnProgress,
  request: CompileRequest = {},
): Validation {
  return atOnce(validateSteps(files, request), tell(onProgress));
}

/** Runs `compile()` in steps, between which a host may do other work or stop. Each of the last two phases is one step. */
export function* compileSteps(
  files: RawFiles,
  host: CompileHost,
  request: CompileRequest = {},
): Steps<Compilation, Progress> {
  const report = new Report();
  const { definitions, model } = yield* understand(files, request, report);
  if (model === null) return failure(report);
  for (const { name: table, search, origin } of host.lacksFullText ? model.resources : []) {
    if (search) report.add("SEARCH_ENGINE", { ...origin, length: 1 }, { table });
  }
  if (report.hasErrors) return failure(report);
  yield PLANNING;
  const places = yield* definitionPlaces(definitions);
  const { vendor = true } = request;
  const databases = databasesOf(request);
  const output = plan({ model, definitions, places, host, vendor, databases }, report);
  if (output === null) return failure(report);
  yield { stage: "emit", message: `Writing ${model.tables.length} tables` };
  const tableExports = tableExportsOf(model, definitions);
  const { warnings } = report;
  return { ok: true, model, tableExports, places, files: emit(output), warnings };
}

function databasesOf(
  { beginsEmpty = false, unrunSteps = new Set() }: CompileRequest,
): KnownDatabases {
  return { beginsEmpty, unrunSteps };
}

export type ParsedCompile = Failure | { readonly ok: true; readonly project: ParsedProject };

/** Runs phases 1 to 3. The result is the form in which a client sends a project that it has parsed. */
export function parseProject(files: RawFiles): ParsedCompile {
  const report = new Report();
  const sources = read(files, report);
  requireConfig(sources, report);
  const definitions = atOnce(defined(sources, report));
  if (report.hasErrors) return failure(report);
  const texts = Object.fromEntries(sources.map(({ path, text }) => [path, text]));
  return { ok: true, project: parsedProjectOf(texts, definitions) };
}

/** Runs `validate()` in steps. None takes longer than one file or one definition needs. */
export function* validateSteps(
  files: RawFiles,
  request: CompileRequest = {},
): Steps<Validation, Progress> {
  const report = new Report();
  const { definitions, model } = yield* understand(files, request, report);
  if (model === null) return failure(report);
  yield PLANNING;
  const places = yield* definitionPlaces(definitions);
  // Without an earlier schema no data can be lost.
  if (definitions.migrationState.size > 0) {
    planMigrations({ model, definitions, databases: databasesOf(request) }, report);
  } else checkDataSteps({ model, definitions }, report);
  if (report.hasErrors) return failure(report);
  const tableExports = tableExportsOf(model, definitions);
  return { ok: true, model, tableExports, places, warnings: report.warnings };
}

function tableExportsOf({ tables }: ProjectModel, { code }: Definitions): TableExports {
  return Object.fromEntries(
    tables.map(({ origin: { file } }) => [file, [...(code.get(file)?.exports ?? [])]]),
  );
}

const PLANNING: Progress = {
  stage: "plan",
  message: "Comparing the schema with the last migration",
};

interface Understood {
  readonly definitions: Definitions;
  readonly model: ProjectModel | null;
}

function* understand(
  files: RawFiles,
  request: CompileRequest,
  report: Report,
): Steps<Understood, Progress> {
  yield { stage: "read", message: `Reading ${Object.keys(files).length} files` };
  const sources = read(files, report);
  requireConfig(sources, report);
  const definitions = request.parsed === undefined
    ? yield* defined(sources, report, request.trees)
    : definitionsOf(sources, request.parsed);
  yield { stage: "analyze", message: `Checking ${definitions.tables.length} tables` };
  const { actionInputSchemas: inputSchemas = null, readsSchemas = false } = request;
  const options = { inputSchemas, readsSchemas, builtIn };
  return { definitions, model: yield* analyze(definitions, report, options) };
}

/** The phases read the built-in tables like an author's. */
const builtIn = BUILT_IN_TABLES.map(({ files, ...table }) => ({
  ...table,
  definitions: () => {
    const report = new Report();
    const { tables } = atOnce(evaluate(atOnce(parse(read(files, report), report)), report));
    if (report.hasErrors) throw new Error("The definition of a built-in table has a mistake");
    return tables;
  },
}));

function* defined(
  sources: readonly SourceFile[],
  report: Report,
  trees?: KnownTrees,
): Steps<Definitions, Progress> {
  yield { stage: "parse", message: `Parsing ${sources.length} files` };
  const modules = yield* parse(sources, report, trees);
  yield { stage: "evaluate", message: "Reading definitions" };
  return yield* evaluate(modules, report);
}

function failure({ errors, warnings }: Report): Failure {
  return { ok: false, errors, warnings };
}

function tell(onProgress: OnProgress = () => {}): (progress: Progress) => void {
  return ({ stage, message }) => onProgress(stage, message);
}
