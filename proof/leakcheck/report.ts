/** Writes the result of a leakcheck for people. */
import type { Admission } from "../rows/mod.ts";
import type { LeakReport } from "./leakcheck.ts";

/** Maximum number of differences that are printed in full. */
const SHOWN_MAX = 20;

/** Returns the lines without colours. */
export function reportLines(report: LeakReport): readonly string[] {
  const { principals, differences, admissions } = report;
  const shown = differences.slice(0, SHOWN_MAX).flatMap((
    { principal, channel, request, column, place, excerpt },
  ) => [
    `${channel}: ${request}`,
    `  as ${principal}, ${column ?? "column unknown"}, ${place}`,
    `  one:   ${JSON.stringify(excerpt.one)}`,
    `  other: ${JSON.stringify(excerpt.other)}`,
    "",
  ]);
  const more = differences.length - SHOWN_MAX;
  return [
    ...shown,
    ...(more > 0 ? [`… and ${more} more`, ""] : []),
    ...(admissions.length > 0 ? ["Let through by the definitions:"] : []),
    ...admissions.map((one) => `  ${one.column}: ${admissionText(one)}`),
    // The number is an average: a class that is refused early is tested with fewer requests.
    principals.length === 0
      ? "No column is hidden from anybody: nothing to compare"
      : `${principals.length} principals × ${
        Math.round(comparedIn(report) / report.principals.length)
      } requests = ${comparedIn(report)} compared, ${differences.length} differing`,
  ];
}

/** Returns the number of compared requests and messages. */
export function comparedIn({ compared }: LeakReport): number {
  return Object.values(compared).reduce((sum, count) => sum + count, 0);
}

function admissionText({ kind, over }: Admission): string {
  if (over === undefined) return ADMISSION_TEXTS[kind];
  return `a total over ${over}, of which its readers do not see all`;
}

const ADMISSION_TEXTS: Readonly<Record<Admission["kind"], string>> = {
  rule: "a rule compares it, so its effect on a record is seen",
  lift: "its readers may write what lifts its mask",
  query: "query.roles let callers who see only its mask ask by it",
  mask: "there are no two values under one mask",
  unique: "unique, so a write tells whether a value is taken",
};
