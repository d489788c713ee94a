/** Phase 1: raw files in any order become source files in path order, each with its role (contract 4.8, definitions 1). */
import type { RawFiles } from "../../host.ts";
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import { CONFIG_PATH, type PathRefusal, readPath } from "./layout.ts";
import { NESTING_MAX, tooDeep } from "./nesting.ts";
import type { SourceFile } from "./source_file.ts";

/** Files with a refused path or a text too deep to parse are reported and left out. */
export function read(files: RawFiles, report: Report): readonly SourceFile[] {
  const sources: SourceFile[] = [];
  for (const path of Object.keys(files).sort()) {
    const source = readFile(path, files[path] ?? "", report);
    if (source !== null) sources.push(source);
  }
  if (!Object.hasOwn(files, CONFIG_PATH)) {
    report.add("CONFIG_MISSING", startOf(CONFIG_PATH), { path: CONFIG_PATH });
  }
  return sources;
}

function readFile(path: string, rawText: string, report: Report): SourceFile | null {
  const { role, refusal } = readPath(path);
  if (role === null) {
    reportRefusal(path, refusal, report);
    return null;
  }
  const text = rawText.startsWith("\uFEFF") ? rawText.slice(1) : rawText;
  const deep = isCode(path) ? tooDeep(text) : null;
  if (deep === null) return { path, text, role };
  report.add("FILE_TOO_NESTED", { file: path, ...deep, length: 1 }, { limit: NESTING_MAX });
  return null;
}

function reportRefusal(path: string, refusal: PathRefusal, report: Report): void {
  const place = startOf(path);
  switch (refusal.code) {
    case "PATH_REFUSED":
      return report.add("PATH_REFUSED", place, { path, nearest: refusal.nearest });
    case "PATH_SEGMENT_INVALID":
      return report.add("PATH_SEGMENT_INVALID", place, { path, segment: refusal.segment });
    case "FEATURE_NAME_INVALID":
      return report.add("FEATURE_NAME_INVALID", place, { feature: refusal.feature });
    case "FEATURE_FILE_REFUSED":
      return report.add("FEATURE_FILE_REFUSED", place, { path, nearest: refusal.nearest });
  }
}

function isCode(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

function startOf(file: string): Place {
  return { file, line: 1, column: 1, length: 1 };
}
