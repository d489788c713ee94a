/** The compiler's face. */
export { type Compilation, compile, type Failure, validate, type Validation } from "./compile.ts";
export type { Diagnostic, Place, Severity } from "./diagnostics/diagnostic.ts";
export type { CompileHost, GeneratedFile, RawFiles, Stage } from "./host.ts";
export { STAGES } from "./host.ts";
