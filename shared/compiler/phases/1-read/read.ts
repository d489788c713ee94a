/** Phase 1: raw files in any order become source files in path order, each with its role (contract 4.8, definitions 1). */
import type { RawFiles } from "../../host.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import { CONFIG_PATH, type PathRefusal, readPath } from "./layout.ts";
import { pathCollisions } from "./path_collisions.ts";
import type { SourceFile } from "./source_file.ts";

/** A refused path is reported and keeps its place in the list with the role `refused`. */
export function read(files: RawFiles, report: Report): readonly SourceFile[] {
  const sources = Object.keys(files).sort().map((path) =>
    readFile(path, files[path] ?? "", report)
  );
  const taken = sources.filter(({ role }) => role.kind !== "refused").map(({ path }) => path);
  for (const { path, other } of pathCollisions(taken)) {
    report.add("PATH_COLLIDES", startOf(path), { path, other });
  }
  return sources;
}

/** Reported for whole projects only: a part of one can be read without. */
export function requireConfig(sources: readonly SourceFile[], report: Report): void {
  if (sources.some(({ role }) => role.kind === "config")) return;
  report.add("CONFIG_MISSING", startOf(CONFIG_PATH), {});
}

function readFile(path: string, rawText: string, report: Report): SourceFile {
  const text = rawText.startsWith("\uFEFF") ? rawText.slice(1) : rawText;
  const { role, refusal } = readPath(path);
  if (role !== null) return { path, text, role };
  reportRefusal(path, refusal, report);
  return { path, text, role: { kind: "refused" } };
}

function reportRefusal(path: string, refusal: PathRefusal, report: Report): void {
  const place = startOf(path);
  switch (refusal.code) {
    case "PATH_REFUSED":
      return report.add("PATH_REFUSED", place, { path, nearest: refusal.nearest });
    case "PATH_TOO_LONG":
      return report.add("PATH_TOO_LONG", place, { path, limit: refusal.limit });
    case "PATH_SEGMENT_INVALID":
      return report.add("PATH_SEGMENT_INVALID", place, { path, segment: refusal.segment });
    case "FEATURE_NAME_INVALID":
      return report.add("FEATURE_NAME_INVALID", place, { feature: refusal.feature });
    case "FEATURE_FILE_REFUSED":
      return report.add("FEATURE_FILE_REFUSED", place, { path, nearest: refusal.nearest });
  }
}

function startOf(file: string): Place {
  return { file, line: 1, column: 1, length: 1 };
}
