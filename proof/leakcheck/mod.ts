/** The face of leakcheck: a project is asked everything twice, over databases that differ only in what is hidden. */
export type { Difference } from "./difference.ts";
export {
  type FrameRecorder,
  leakcheck,
  type LeakcheckOptions,
  type LeakHost,
  type LeakReport,
  type TwinApi,
} from "./leakcheck.ts";
export {
  type Channel,
  CHANNELS,
  type Corpus,
  type Question,
  type RecordedAnswer,
  recordIn,
} from "../questions/question.ts";
export { comparedIn, reportLines } from "./report.ts";
export { soloCallers, soloFor } from "./solo.ts";
export { PEOPLE, type SeededTable } from "../rows/twin_rows.ts";
