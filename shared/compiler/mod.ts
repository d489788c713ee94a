/** The compiler's face. */
export {
  type Compilation,
  compile,
  type CompileRequest,
  compileSteps,
  type Failure,
  type ParsedCompile,
  parseProject,
  type Progress,
  validate,
  validateSteps,
  type Validation,
} from "./compile.ts";
export type { ParsedProject } from "./parsed/parsed_project.ts";
export { type ParsedReading, readParsedProject } from "./parsed/read_parsed_project.ts";
export { hitList } from "./diagnostics/hit_list.ts";
export type { Diagnostic, Place, Severity } from "./diagnostics/diagnostic.ts";
export type { CompileHost, GeneratedFile, RawFiles, Stage } from "./host.ts";
export { type DenoLock, readDenoLock } from "./lock/deno_lock.ts";
export { keptLock } from "./lock/kept_lock.ts";
export { lockOf } from "./lock/lock_of.ts";
export { DESTRUCTIVE_MARK } from "./migrations/destructive_marks.ts";
export { takeBack } from "./migrations/take_back.ts";
export { openApiDocument } from "./phases/6-emit/openapi/emit_openapi.ts";
export { VERSION } from "./version.ts";
export { CONFIG_PATH, readPath } from "./phases/1-read/layout.ts";
export { type BundledOutput, check, type CheckFindings } from "./phases/7-check/check.ts";
export type { BundleProblem, ImportProblem, OutputPlace } from "./phases/7-check/bundle_problem.ts";
export { type Target, TARGETS } from "./platforms/mod.ts";
export { SyntaxTrees } from "./phases/2-parse/syntax_trees.ts";
export type { ProjectModel } from "../model/project.ts";
