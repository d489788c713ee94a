/**
 * Runs phase 3, which turns syntax trees into inert values, each with its place. It never runs code (contract 4.8, definitions
 * 1).
 */
import type { Node } from "@babel/types";
import { mapInSteps, PAUSE, type Steps } from "../../../lib/steps.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { Module } from "../2-parse/parse.ts";
import type { CodeFile, Definition, Definitions, Value } from "../values.ts";
import { authoredFileOf, type AuthoredReading } from "./authored_file.ts";
import { checkImports } from "./check_imports.ts";
import { codeFileOf } from "./code_file.ts";
import { readConfig } from "./config_values.ts";
import { constructOf } from "./constructs.ts";
import { definitionDialect } from "./definition_values.ts";
import type { Evaluation, FoundValue } from "./evaluation.ts";
import { isTable, newEvaluation, readOnce } from "./evaluation.ts";
import { placeOf } from "./place.ts";
import { docOfDeclared } from "./read_value.ts";
import { exportOf, lookUp, projectScopeOf } from "./project_scope.ts";
import type { Scope } from "./scope.ts";
import { checkDataStep } from "./check_data_step.ts";
import * as texts from "./texts.ts";

/** Returns every file of the project by its role, in path order. */
export function* evaluate(modules: readonly Module[], report: Report): Steps<Definitions> {
  const run: AuthoredReading = {
    evaluation: newEvaluation(projectScopeOf(modules), definitionDialect),
    report,
    told: new Set(),
  };
  const scopes = [...run.evaluation.project.scopes.values()];
  const sources = modules.map(({ source }) => source);
  yield* mapInSteps(scopes, (scope) => checkModule(scope, run));
  for (const module of modules) checkDataStep(module, run);
  const authored = scopes.filter(({ source }) => texts.isAuthoredPath(source.path));
  return {
    config: readConfigOf(scopes, report),
    tables: yield* tablesOf(scopes, run),
    actions: yield* actionsOf(scopes, run),
    authored: yield* mapInSteps(authored, (scope) => authoredFileOf(scope, run)),
    code: yield* codeOf(modules, run.evaluation),
    carried: texts.carriedTexts(sources),
    migrationState: texts.migrationTexts(sources),
    dataSteps: texts.dataStepTexts(sources),
    wrangler: texts.wranglerText(sources),
    unparsed: new Set(modules.filter(({ broken }) => broken).map(({ source }) => source.path)),
  };
}

/** Reports mistakes that are independent of the module's role; the configuration has rules of its own. */
function checkModule(scope: Scope, { evaluation, report }: AuthoredReading): void {
  const { source } = scope;
  for (const node of scope.repeatedDefaults) {
    report.add("DEFAULT_EXPORT_REPEATED", placeOf(node, source), {});
  }
  if (source.role.kind === "config") return;
  checkImports(evaluation.project, scope, report);
  if (source.role.kind !== "table") return;
  for (const node of scope.statements) {
    const callee = resourceCall(node, scope, evaluation);
    if (callee !== null) report.add("RESOURCE_NOT_EXPORTED", placeOf(node, source), { callee });
    else report.add("NOT_STATIC", placeOf(node, source), { construct: constructOf(node, source) });
  }
}

/** Returns the name of a call `defineTable(…)` that is a statement: `export default` is missing before it. */
function resourceCall(node: Node, scope: Scope, { project }: Evaluation): string | null {
  if (node.type !== "ExpressionStatement" || node.expression.type !== "CallExpression") return null;
  const { callee } = node.expression;
  const found = callee.type === "Identifier" ? lookUp(project, scope, callee.name) : null;
  return found?.kind === "library" && RESOURCE_CALLS.has(found.path) ? found.path : null;
}

const RESOURCE_CALLS: ReadonlySet<string> = new Set(["feature", "defineTable"]);

function readConfigOf(scopes: readonly Scope[], report: Report): Definition | null {
  const scope = scopes.find(({ source }) => source.role.kind === "config");
  if (scope === undefined) return null;
  return scope.known ? readConfig(scope, report) : brokenDefinition(scope);
}

function* tablesOf(scopes: readonly Scope[], run: AuthoredReading): Steps<Definitions["tables"]> {
  const tables: Definitions["tables"][number][] = [];
  for (const scope of scopes) {
    const { role } = scope.source;
    if (role.kind !== "table") continue;
    tables.push({ ...(yield* definitionOf(scope, run)), feature: role.feature });
    yield PAUSE;
  }
  return tables;
}

function* actionsOf(scopes: readonly Scope[], run: AuthoredReading): Steps<Definitions["actions"]> {
  const actions: Definitions["actions"][number][] = [];
  for (const scope of scopes) {
    const { role } = scope.source;
    if (role.kind !== "action") continue;
    const { feature, table } = role;
    actions.push({ ...(yield* definitionOf(scope, run)), feature, table });
    yield PAUSE;
  }
  return actions;
}

function* definitionOf(scope: Scope, run: AuthoredReading): Steps<Definition> {
  if (!scope.known) return brokenDefinition(scope);
  // All constants are read. One that cannot be read is a mistake only in a table or if a definition uses it.
  const bindings = new Map<string, Value>();
  for (const [name, declaration] of scope.declarations) {
    if (declaration.kind !== "constant") continue;
    const found: FoundValue = { kind: "value", scope, name, value: declaration.value };
    bindings.set(name, readTopLevel(found, { ...run, isUsed: isTable(run.evaluation, found) }));
    yield PAUSE;
  }
  const { path: file, text } = scope.source;
  return { file, bindings, defaultExport: defaultExportOf(scope, run), docs: docsOf(scope), text };
}

function docsOf({ declarations, exports, source: { text } }: Scope): ReadonlyMap<string, string> {
  const exported = exports.get("default");
  const docs = [
    ...[...declarations].map(([name, declaration]) =>
      [name, declaration.kind === "constant" ? declaration.value.start : null] as const
    ),
    ["default", exported?.kind === "default" ? exported.value.start : null] as const,
  ].map(([name, start]) => [name, start == null ? "" : docOfDeclared(start, text)] as const);
  return new Map(docs.filter(([, doc]) => doc !== ""));
}

/** Returns the definition of a file with syntax errors: its default export exists and cannot be read. */
function brokenDefinition({ source: { path: file, text } }: Scope): Definition {
  const place = { file, line: 1, column: 1, length: 1 };
  const construct = "a file with syntax errors";
  const defaultExport: Value = { kind: "unreadable", construct, text: "", place };
  return { file, bindings: new Map(), defaultExport, text };
}

/** Returns the default export, or the constant that it names. */
function defaultExportOf(scope: Scope, run: AuthoredReading): Value | null {
  const exported = scope.exports.get("default");
  if (exported === undefined) return null;
  const found = exportOf(run.evaluation.project, scope, "default");
  if (found?.kind === "value") return readTopLevel(found, { ...run, isUsed: true });
  if (found?.kind === "function" || found?.kind === "unreadable") {
    const node = exported.kind === "default" ? exported.value : exported.node;
    const construct = found.kind === "function"
      ? "a function"
      : found.construct ?? constructOf(node, scope.source);
    run.report.add("NOT_STATIC", placeOf(node, scope.source), { construct });
  }
  return brokenDefinition(scope).defaultExport;
}

function readTopLevel(
  found: FoundValue,
  { evaluation, report, told, isUsed }: AuthoredReading & { readonly isUsed: boolean },
): Value {
  const measured = readOnce(evaluation, found, 0);
  if (measured === "reading") throw new Error(`Constant ${found.name} is being read at top level`);
  if (isUsed) measured.findings.reportTo(report, told);
  return measured.value;
}

function* codeOf(
  modules: readonly Module[],
  evaluation: Evaluation,
): Steps<ReadonlyMap<string, CodeFile>> {
  const code = new Map<string, CodeFile>();
  for (const module of modules) {
    const { path, role } = module.source;
    const scope = evaluation.project.scopes.get(path);
    if (module.program === null || role.kind === "config" || scope === undefined) continue;
    code.set(path, codeFileOf(module, scope, evaluation));
    yield PAUSE;
  }
  return code;
}
