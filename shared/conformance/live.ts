/** The face for hosts that hold a living API against its definitions (contract 4.7). */
export { conformanceEntries } from "./manifest.ts";
export type { ConformanceApi } from "./run/ask.ts";
export {
  type ConformanceReport,
  type Mismatch,
  mismatchText,
  summaryLine,
  uncoveredTexts,
  type UntestedRoute,
} from "./run/report.ts";
export {
  type ConformanceOptions,
  type ConformancePorts,
  runConformance,
} from "./run/run_conformance.ts";
export { type ApiKeySeed, apiKeySeed, insertApiKey } from "./seed/api_key_seed.ts";
export { unscopedText } from "./unscoped_tables.ts";
export type { World } from "./seed/world.ts";
