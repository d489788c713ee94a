/**
 * Runs phase 1, which turns raw files in any order into source files in path order, each with its role (contract 4.8,
 * definitions 1).
 */
import type { Place } from "../../diagnostics/diagnostic.ts";
import type { Report } from "../../diagnostics/report.ts";
import type { RawFiles } from "../../host.ts";
import { CONFIG_PATH, type PathRefusal, readPath, type SourceFile } from "./layout.ts";

/** Returns the source files. A refused path is reported and stays in the list with the role `refused`. */
export function read(files: RawFiles, report: Report): readonly SourceFile[] {
  const sources = Object.keys(files).sort().map((path): SourceFile => {
    const rawText = files[path] ?? "";
    const text = rawText.startsWith("\uFEFF") ? rawText.slice(1) : rawText;
    const { role, refusal } = readPath(path);
    if (role !== null) return { path, text, role };
    reportRefusal(path, refusal, report);
    return { path, text, role: { kind: "refused" } };
  });
  const taken = sources.filter(({ role }) => role.kind !== "refused").map(({ path }) => path);
  for (const { path, other } of pathCollisions(taken)) {
    report.add("PATH_COLLIDES", startOf(path), { path, other });
  }
  return sources;
}

/** Reports a missing configuration. It is called for whole projects only, because a part of one can be read without. */
export function requireConfig(sources: readonly SourceFile[], report: Report): void {
  if (sources.some(({ role }) => role.kind === "config")) return;
  report.add("CONFIG_MISSING", startOf(CONFIG_PATH), {});
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

/** Paths that cannot coexist on every file system, where any output must be writable (definitions 1). */

interface PathCollision {
  readonly path: string;
  /** The path that came before it. */
  readonly other: string;
}

/** Finds paths that differ only in case, and a path that is a folder of another. Each is reported once, in the given order. */
function pathCollisions(paths: readonly string[]): readonly PathCollision[] {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  return paths.flatMap((path) => {
    const folded = path.toLowerCase();
    const segments = folded.split("/");
    const above = segments.slice(1).map((_segment, index) =>
      segments.slice(0, index + 1).join("/")
    );
    const other = files.get(folded) ?? folders.get(folded) ??
      above.map((folder) => files.get(folder)).find((file) => file !== undefined);
    files.set(folded, path);
    for (const folder of above) folders.set(folder, path);
    return other === undefined ? [] : [{ path, other }];
  });
}
