/** Phase 7: findings that only the whole output shows, reported at the author's own lines (contract 4.8, the bundle check). */
import { nearest } from "../../../lib/nearest.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import { shorten } from "../../diagnostics/quote.ts";
import { Report } from "../../diagnostics/report.ts";
import type { GeneratedFile } from "../../host.ts";
import { CONFIG_PATH } from "../1-read/layout.ts";
import type { BundleProblem, ImportProblem } from "./bundle_problem.ts";
import { missingMembers } from "./host_members.ts";
import { sourcePlace } from "./source_place.ts";
import { type SizeLimits, type Target, TARGETS } from "../../platforms/mod.ts";

export interface BundledOutput {
  readonly model: Pick<ProjectModel, "runtime">;
  readonly files: readonly GeneratedFile[];
  readonly problems: readonly BundleProblem[];
  /** Compressed bytes of the project's own code; null where nobody counts them. */
  readonly bytes: number | null;
}

export interface CheckFindings {
  readonly errors: readonly Diagnostic[];
  readonly warnings: readonly Diagnostic[];
}

/** Throws for a problem in code that no author wrote: it is ours. */
export function check({ model, files, problems, bytes }: BundledOutput): CheckFindings {
  const report = new Report();
  const target = TARGETS[model.runtime];
  const context: CheckContext = {
    report,
    target,
    files: new Map(files.map((file) => [file.path, file])),
  };
  for (const problem of problems) reportProblem(problem, context);
  for (const { origin } of files) {
    for (const { member, place } of origin ? missingMembers(origin, target) : []) {
      report.add("BUNDLE_HOST_MEMBER", place, { member, target: target.title });
    }
  }
  if (bytes !== null && target.size !== null) checkSize(bytes, target.size, context);
  return { errors: report.errors, warnings: report.warnings };
}

interface CheckContext {
  readonly report: Report;
  readonly target: Target;
  readonly files: ReadonlyMap<string, GeneratedFile>;
}

function reportProblem(problem: BundleProblem, context: CheckContext): void {
  const { report } = context;
  const place = placeOf(problem, context);
  switch (problem.kind) {
    case "notCode":
      return report.add("BUNDLE_NOT_CODE", place, { specifier: problem.specifier });
    case "noExport":
    case "noMember": {
      const { name, module, available } = problem;
      const details = { name, module, nearest: nearest(name, available) };
      return problem.kind === "noExport"
        ? report.add("BUNDLE_EXPORT_MISSING", place, details)
        : report.add("BUNDLE_MEMBER_MISSING", place, details);
    }
    case "invalid":
      return report.add("BUNDLE_INVALID", place, { problem: shorten(problem.problem, 160) });
    default:
      return reportImport(problem, place, context);
  }
}

function reportImport(
  { kind, specifier, chain: steps }: ImportProblem,
  place: Place,
  context: CheckContext,
): void {
  const { report, target: { title } } = context;
  const chain = chainText(steps, context);
  switch (kind) {
    case "unresolved":
      return report.add("BUNDLE_IMPORT_UNRESOLVED", place, { specifier, chain });
    case "hostModule":
      return report.add("BUNDLE_HOST_MODULE", place, { specifier, chain, target: title });
    case "nativeAddon":
      return report.add("BUNDLE_NATIVE_ADDON", place, { specifier, chain, target: title });
    case "require":
      return report.add("BUNDLE_REQUIRE", place, { specifier });
  }
}

function placeOf({ place }: BundleProblem, { files }: CheckContext): Place {
  const file = files.get(place.file);
  const source = file && sourcePlace(file, place);
  if (source) return source;
  throw new Error(`The bundle check refuses generated code at ${place.file}:${place.line}`);
}

const CHAIN_MAX = 6;

/** Empty when the place says it all. */
function chainText(steps: readonly string[], { files }: CheckContext): string {
  if (steps.length < 3) return "";
  const names = steps.map((step) => shorten(files.get(step)?.origin?.file ?? step, 80));
  const shown = names.length <= CHAIN_MAX
    ? names
    : [...names.slice(0, 2), "…", ...names.slice(3 - CHAIN_MAX)];
  return ` (${shown.join(" → ")})`;
}

function checkSize(
  own: number,
  { carried, smallPlanMax, max }: SizeLimits,
  context: CheckContext,
): void {
  const bytes = own + carried;
  const { report, target } = context;
  const place = { file: CONFIG_PATH, line: 1, column: 1, length: 1 };
  const details = { target: target.title, size: mebibytes(bytes) };
  if (bytes > max) {
    report.add("BUNDLE_TOO_LARGE", place, { ...details, limit: mebibytes(max) });
  } else if (bytes > smallPlanMax) {
    report.add("BUNDLE_NEEDS_LARGER_PLAN", place, { ...details, limit: mebibytes(smallPlanMax) });
  }
}

/** Rounded up: what is too large never reads as large as the limit. */
function mebibytes(bytes: number): string {
  return `${(Math.ceil(bytes / (1024 * 1024) * 10) / 10).toFixed(1)} MiB`;
}
