/** The face for hosts that hold a living API against its definitions (contract 4.7). */
export { conformanceEntries } from "../../shared/oracle/manifest.ts";
export type { ConformanceApi } from "./ask.ts";
export {
  type ConformanceReport,
  type Mismatch,
  mismatchText,
  summaryLine,
  uncoveredTexts,
  type UntestedRoute,
} from "./report.ts";
export {
  type ConformanceOptions,
  type ConformancePorts,
  runConformance,
} from "./run_conformance.ts";
export { type ApiKeySeed, apiKeySeed, insertApiKey } from "../rows/api_key_seed.ts";
export { unscopedText } from "../../shared/oracle/unscoped_tables.ts";
export type { World } from "../rows/world.ts";
