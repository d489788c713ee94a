/** Exports the compiler's public interface. */
export { builtPath, type DenoLock, PACKAGE_EXEMPTION, PACKAGE_SPECIFIER } from "./front.ts";
export { type ParsedProject, readDenoLock, RUNTIME_MODULES, type Target } from "./front.ts";
export { TARGETS, VERSION } from "./front.ts";
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
export type { Diagnostic, Place, Severity } from "./diagnostics/diagnostic.ts";
export type { CompileHost, GeneratedFile, RawFiles, Stage } from "./host.ts";
export { keptLock } from "./lock/kept_lock.ts";
export { DESTRUCTIVE_MARK, earlySteps } from "./migrations/plan_migration.ts";
export { firstMigration, isOwnSnapshot } from "./migrations/plan_migration.ts";
export { openApiDocument } from "./phases/6-emit/openapi/emit_openapi.ts";
export { type Following, planFollowing } from "./phases/5-plan/plan_following.ts";
export { editorTypes } from "./phases/6-emit/editor_types.ts";
export { CONFIG_PATH, readPath } from "./phases/1-read/layout.ts";
export { type BundledOutput, check, type CheckFindings } from "./phases/7-check/check.ts";
export type { BundleProblem, ImportProblem, OutputPlace } from "./phases/7-check/check.ts";
export { SyntaxTrees } from "./phases/2-parse/syntax_trees.ts";
export type { ProjectModel } from "../model/project.ts";
