/**
 * Exports the part of the compiler that does not load the phases, for a process that accepts compiles and runs them in threads
 * or other processes (docs/decisions/build_service.md, "Memory").
 */
export { hitList } from "./diagnostics/diagnostic.ts";
export { bareId, type DenoLock, readDenoLock } from "./lock/deno_lock.ts";
export { lockOf } from "./lock/lock_of.ts";
export type { ParsedProject } from "./parsed/parsed_project.ts";
export { type ParsedReading, readParsedProject } from "./parsed/read_parsed_project.ts";
export { type Target, TARGETS } from "./platforms/mod.ts";
export { PACKAGE, VERSION } from "../contract/version.ts";
export {
  builtPath,
  PACKAGE_EXEMPTION,
  PACKAGE_SPECIFIER,
  RUNTIME_MODULES,
  SHARED_PACKAGES,
} from "./runtime_modules.ts";
