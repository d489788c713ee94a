/** The build service's face. */
export {
  type AppOptions,
  type BuildService,
  createService,
  createServiceApp,
  type ServiceOptions,
} from "./app.ts";
export type {
  CompileEvent,
  CompileInput,
  CompileJob,
  OutputFile,
} from "./compile/compile_event.ts";
export { type BundleCheck, stepCompiler, type StepOptions } from "./compile/compile_in_steps.ts";
export { COMPILE_BODY_MAX_BYTES } from "./limits.ts";
export type {
  AppSettings,
  Compiler,
  ServiceLogEntry,
  ServicePorts,
  ServiceRequest,
  ServiceRoutes,
  ServiceSettings,
  ServiceTimers,
} from "./ports.ts";
export { ServiceRefusal } from "./refusal.ts";
export { keyAuthentication } from "./request/authenticate.ts";
export { readWireBody } from "./request/body_text.ts";
export { type CompileOptions, readCompileOptions } from "./request/compile_options.ts";
export { gzipped } from "./response/gzipped.ts";
export type { Template } from "./templates.ts";
