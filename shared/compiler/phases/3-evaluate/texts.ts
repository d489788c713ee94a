/** Selects the files that phase 3 passes on unchanged (definitions 1). */
import { featureOfHooks, type SourceFile } from "../1-read/layout.ts";

type Sources = readonly SourceFile[];

const CARRIED: ReadonlySet<SourceFile["role"]["kind"]> = new Set([
  "handler",
  "hooks",
  "lib",
  "service",
  "support",
]);

/** Returns handlers, lib, services, hooks, …, by path. */
export function carriedTexts(sources: Sources): ReadonlyMap<string, string> {
  return textsOf(sources, ({ role }) => CARRIED.has(role.kind));
}

/** Returns journals and snapshots of earlier compiles, by path. */
export function migrationTexts(sources: Sources): ReadonlyMap<string, string> {
  return textsOf(sources, ({ role }) => role.kind === "migrationState");
}

/** Returns steps of migrations that change rows, by path. */
export function dataStepTexts(sources: Sources): ReadonlyMap<string, string> {
  return textsOf(sources, ({ role }) => role.kind === "dataStep");
}

export function wranglerText(sources: Sources): string | null {
  return sources.find(({ role }) => role.kind === "wrangler")?.text ?? null;
}

/** True for code files that act by themselves. Libraries and templates act only when others import them. */
export function isAuthoredPath(path: string): boolean {
  return path === "quickback/seed.ts" || featureOfHooks(path) !== null ||
    /^quickback\/(services|middlewares|hooks|plugins|jobs|schedules)\/.*\.[cm]?[jt]sx?$/.test(
      path,
    );
}

function textsOf(
  sources: Sources,
  isWanted: (source: SourceFile) => boolean,
): ReadonlyMap<string, string> {
  return new Map(sources.filter(isWanted).map(({ path, text }) => [path, text]));
}
