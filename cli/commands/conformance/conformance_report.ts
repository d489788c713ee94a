/**
 * Report of `conformance` for people: each mismatch with its rule, requests that were not made, and one line that counts
 * (definitions 8).
 */
import {
  type ConformanceReport,
  mismatchText,
  summaryLine,
  uncoveredTexts,
} from "../../../proof/conformance/report.ts";
import { unscopedText } from "../../../shared/oracle/unscoped_tables.ts";
import type { ExitCode } from "../../command.ts";
import type { Terminal } from "../../terminal.ts";

/** The rest is counted, and is in `--json`. */
const MISMATCHES_LISTED_MAX = 50;

/** 0 when the API is what its definitions say. */
export function reportConformance(report: ConformanceReport, terminal: Terminal): ExitCode {
  const { mismatches, uncovered, unscoped } = report;
  const { out, outColors } = terminal;
  for (const mismatch of mismatches.slice(0, MISMATCHES_LISTED_MAX)) {
    out(`${outColors.red("mismatch")} ${mismatchText(mismatch)}`);
  }
  const hidden = mismatches.length - MISMATCHES_LISTED_MAX;
  if (hidden > 0) out(`and ${hidden} more: --json lists all`);
  for (const text of uncoveredTexts(uncovered)) out(outColors.dim(text));
  for (const table of unscoped) out(unscopedText(table));
  out(summaryLine(report));
  return mismatches.length === 0 ? 0 : 1;
}
