/** The build service. */
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
export type { CompileOrder } from "./compile/shared_compiles.ts";
export { deadline } from "./compile/deadline.ts";
export { carriedTexts, type CarryingHost, outputFiles } from "./compile/output_files.ts";
export { COMPILE_BODY_MAX_BYTES, COMPILE_FILE_MAX_BYTES, ENDING_MAX_MS } from "./limits.ts";
export type {
  AppSettings,
  Compiler,
  CompileStore,
  ServiceAccounts,
  ServiceLogEntry,
  ServicePorts,
  ServiceRequest,
  ServiceRoutes,
  ServiceSettings,
  ServiceTimers,
} from "./ports.ts";
export { ServiceRefusal } from "./refusal.ts";
export { type Authenticate, authentication } from "./request/authenticate.ts";
export { readWireBody } from "./request/body_text.ts";
export { type CompileOptions, readCompileOptions } from "./request/compile_options.ts";
export { type Sessions, signSession } from "./request/authenticate.ts";
export { type CorsOrigins, withoutCors } from "./response/cors.ts";
export { gzipped } from "./response/gzipped.ts";
export { errorFrame } from "./stream/frames.ts";
export { frame, KEEP_ALIVE } from "./stream/frames.ts";
export type { Template } from "./template.ts";
