/** Decides which files a project may have, by their paths, and the role of each (contract 4.8, definitions 1). */
import { nearest } from "../../../lib/nearest.ts";

export const CONFIG_PATH = "quickback/quickback.config.ts";

/** The refusal of a path: a catalogue code with its details. */
export type PathRefusal =
  | { readonly code: "PATH_REFUSED"; readonly nearest: string | null }
  | { readonly code: "PATH_TOO_LONG"; readonly limit: number }
  | { readonly code: "PATH_SEGMENT_INVALID"; readonly segment: string }
  | { readonly code: "FEATURE_NAME_INVALID"; readonly feature: string }
  | { readonly code: "FEATURE_FILE_REFUSED"; readonly nearest: string | null };

type PathReading =
  | { readonly role: FileRole; readonly refusal: null }
  | { readonly role: null; readonly refusal: PathRefusal };

/** Matches a path segment that every file system accepts: at most 255 bytes, and no dot at the end. */
const SEGMENT = /^[A-Za-z0-9._@-]{0,254}[A-Za-z0-9_@-]$/;
/** Limit of a path's length. The shortest limit in use is 1,024 bytes, which includes the folder of an output. */
const PATH_MAX_LENGTH = 512;
const FEATURE_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const DATA_STEP = /(?:\.sql|(?<!\.d)\.ts)$/;
const CODE_FILE = /\.[cm]?[jt]sx?$/;
const SUPPORT_FOLDERS = [
  "hooks",
  "plugins",
  "middlewares",
  "email-templates",
  "jobs",
  "schedules",
];
const PROJECT_FOLDERS = [
  "features",
  "services",
  "lib",
  "drizzle",
  "migrations",
  ...SUPPORT_FOLDERS,
];
const FEATURE_FOLDERS = ["actions", "handlers", "hooks", "lib"];

/** Reads a path without looking at the file's text. */
export function readPath(path: string): PathReading {
  if (path.length > PATH_MAX_LENGTH) {
    return refused({ code: "PATH_TOO_LONG", limit: PATH_MAX_LENGTH });
  }
  const segments = path.split("/");
  const invalid = segments.find((segment) => !SEGMENT.test(segment));
  if (invalid !== undefined) return refused({ code: "PATH_SEGMENT_INVALID", segment: invalid });
  if (path === "wrangler.toml") return accepted({ kind: "wrangler" });
  if (path === CONFIG_PATH) return accepted({ kind: "config" });
  if (path === "quickback/seed.ts") return accepted({ kind: "seed" });
  const [root, folder, ...rest] = segments;
  if (root !== "quickback" || folder === undefined) return refusedPath(null);
  if (rest.length === 0) return refusedPath(nearest(folder, ["quickback.config.ts", "seed.ts"]));
  if (folder === "features") return readFeaturePath(rest);
  if (folder === "services") return accepted({ kind: "service" });
  if (folder === "lib") return accepted({ kind: "lib", feature: null });
  if (SUPPORT_FOLDERS.includes(folder)) return accepted({ kind: "support" });
  if (folder === "migrations" && rest.length === 1 && DATA_STEP.test(rest[0] ?? "")) {
    return accepted({ kind: "dataStep" });
  }
  // Later versions of drizzle-kit have a folder for each migration, and no `meta/`.
  if (
    folder === "drizzle" && (rest.slice(0, -1).includes("meta") || rest.at(-1) === "snapshot.json")
  ) {
    return accepted({ kind: "migrationState" });
  }
  return refusedPath(PROJECT_FOLDERS.includes(folder) ? null : nearest(folder, PROJECT_FOLDERS));
}

/** True for code. Migration state and documents are copied, not read. */
export function isCodePath(path: string, { kind }: FileRole): boolean {
  return kind !== "migrationState" && CODE_FILE.test(path);
}

function readFeaturePath([feature, ...rest]: readonly string[]): PathReading {
  if (feature === undefined) return refusedPath(null);
  if (rest.length === 0) {
    return CODE_FILE.test(feature) ? refusedPath(null) : accepted({ kind: "support" });
  }
  if (!FEATURE_NAME.test(feature)) return refused({ code: "FEATURE_NAME_INVALID", feature });
  const role = featureRole(feature, rest);
  if (role !== null) return accepted(role);
  const suggestion = rest.length > 1 ? nearest(rest[0] ?? "", FEATURE_FOLDERS) : null;
  return refused({ code: "FEATURE_FILE_REFUSED", nearest: suggestion });
}

function featureRole(feature: string, rest: readonly string[]): FileRole | null {
  const [first = "", second, third] = rest;
  const last = rest.at(-1) ?? "";
  if (first === "handlers" && second !== undefined) return { kind: "handler", feature };
  if (first === "lib" && second !== undefined) return { kind: "lib", feature };
  if (!CODE_FILE.test(last)) return { kind: "support" };
  if (!last.endsWith(".ts") || last.endsWith(".d.ts")) return null;
  if (first === "hooks" && rest.length === 2) return { kind: "hooks", feature };
  if (rest.length === 1) {
    return first === "actions.ts"
      ? { kind: "action", feature, table: null }
      : { kind: "table", feature };
  }
  if (first !== "actions" || rest.length > 3 || second === undefined) return null;
  return { kind: "action", feature, table: third === undefined ? null : second };
}

/** Returns the feature of a file of hooks; null: the path has another role. */
export function featureOfHooks(path: string): string | null {
  const { role } = readPath(path);
  return role?.kind === "hooks" ? role.feature : null;
}

function accepted(role: FileRole): PathReading {
  return { role, refusal: null };
}

function refused(refusal: PathRefusal): PathReading {
  return { role: null, refusal };
}

function refusedPath(suggestion: string | null): PathReading {
  return refused({ code: "PATH_REFUSED", nearest: suggestion });
}

/** Defines phase 1's result: one file of a project with the role that its place gives it (definitions 1). */

export type FileRole =
  | { readonly kind: "config" }
  /** File `features/<feature>/<table>.ts`. */
  | { readonly kind: "table"; readonly feature: string }
  /** File `features/<feature>/actions.ts` (`table` is null) or `actions/[<table>/]<name>.ts`. */
  | { readonly kind: "action"; readonly feature: string; readonly table: string | null }
  | { readonly kind: "handler"; readonly feature: string }
  /** File `features/<feature>/hooks/<table>.ts`: code around the writes of a table's records. */
  | { readonly kind: "hooks"; readonly feature: string }
  /** File in `lib/` of a feature, or of the project (`feature` is null). It may contain constants that tables import. */
  | { readonly kind: "lib"; readonly feature: string | null }
  | { readonly kind: "service" }
  /** Hooks, plugins, middlewares, email templates, jobs, schedules, and documents beside the definitions. */
  | { readonly kind: "support" }
  | { readonly kind: "migrationState" }
  | { readonly kind: "seed" }
  /** File `migrations/<number>_<name>.sql` or `.ts`: a migration's changes of rows. */
  | { readonly kind: "dataStep" }
  | { readonly kind: "wrangler" }
  /** File whose path was reported. It stays known, so that an import of it is no second mistake. */
  | { readonly kind: "refused" };

export interface SourceFile {
  /** Project-relative path, with `/`. */
  readonly path: string;
  /** Text without a byte order mark. */
  readonly text: string;
  readonly role: FileRole;
}
