/** The compiler: one call per phase (docs/architecture.md). Definitions in, files out; no disk, no network, no clock. */
import type { ProjectModel } from "../model/project.ts";
import type { Diagnostic } from "./diagnostics/diagnostic.ts";
import { Report } from "./diagnostics/report.ts";
import type { CompileHost, GeneratedFile, RawFiles, Stage } from "./host.ts";
import { read } from "./phases/1-read/read.ts";
import { parse } from "./phases/2-parse/parse.ts";
import { evaluate } from "./phases/3-evaluate/evaluate.ts";
import { analyze } from "./phases/4-analyze/analyze.ts";
import { plan } from "./phases/5-plan/plan.ts";
import { emit } from "./phases/6-emit/emit.ts";
import type { Definitions } from "./phases/values.ts";

export interface Failure {
  readonly ok: false;
  /** At least one; sorted by place. */
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

export type Validation = Failure | {
  readonly ok: true;
  readonly model: ProjectModel;
  readonly warnings: readonly Diagnostic[];
};

export type Compilation = Failure | {
  readonly ok: true;
  readonly model: ProjectModel;
  /** Sorted by path; the same input gives the same bytes. */
  readonly files: readonly GeneratedFile[];
  readonly warnings: readonly Diagnostic[];
};

type OnProgress = NonNullable<CompileHost["onProgress"]>;

/** Phases 1 to 6. */
export function compile(files: RawFiles, host: CompileHost): Compilation {
  const report = new Report();
  const { definitions, model } = understand(files, { report, onProgress: host.onProgress });
  if (model === null) return failure(report);
  tell(host.onProgress, "plan", "Comparing the schema with the last migration");
  const output = plan({ model, definitions, host }, report);
  if (output === null) return failure(report);
  tell(host.onProgress, "emit", `Writing ${model.tables.length} tables`);
  return { ok: true, model, files: emit(output), warnings: report.warnings };
}

/** Phases 1 to 4: every mistake in the definitions, without an output. */
export function validate(files: RawFiles, onProgress?: OnProgress): Validation {
  const report = new Report();
  const { model } = understand(files, { report, onProgress });
  return model === null ? failure(report) : { ok: true, model, warnings: report.warnings };
}

function understand(
  files: RawFiles,
  { report, onProgress }: {
    readonly report: Report;
    readonly onProgress: OnProgress | undefined;
  },
): { readonly definitions: Definitions; readonly model: ProjectModel | null } {
  tell(onProgress, "read", `Reading ${Object.keys(files).length} files`);
  const sources = read(files, report);
  tell(onProgress, "parse", `Parsing ${sources.length} files`);
  const modules = parse(sources, report);
  tell(onProgress, "evaluate", "Reading definitions");
  const definitions = evaluate(modules, report);
  tell(onProgress, "analyze", `Checking ${definitions.tables.length} tables`);
  return { definitions, model: analyze(definitions, report) };
}

function failure({ errors, warnings }: Report): Failure {
  return { ok: false, errors, warnings };
}

function tell(onProgress: OnProgress | undefined, stage: Stage, message: string): void {
  onProgress?.(stage, message);
}
