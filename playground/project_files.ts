/** Reads and lists the files of a project that the page edits, wherever they are stored. */
import { CONFIG_PATH, type RawFiles, readPath } from "../shared/compiler/mod.ts";
import { sha256Hex } from "../shared/lib/bytes.ts";
import type { Project } from "./protocol.ts";

/** Identifies a version of a file: the SHA-256 of its text, in hexadecimal. */
export async function contentHash(text: string): Promise<string> {
  return await sha256Hex(text);
}

/** False for files that a compile never reads: hidden files, packages, and the history of migrations. */
export function isProjectPath(path: string): boolean {
  const { role } = readPath(path);
  if (role === null || role.kind === "migrationState") return false;
  const segments = path.split("/");
  return segments[0] === "quickback" &&
    !segments.some((segment) => segment.startsWith(".") || segment === "node_modules");
}

export async function projectOf(
  name: string,
  files: RawFiles,
  inputSchemas: Readonly<Record<string, unknown>>,
): Promise<Project> {
  // The configuration comes first.
  const paths = Object.keys(files).sort((a, b) => {
    if (a === CONFIG_PATH || b === CONFIG_PATH) return a === b ? 0 : a === CONFIG_PATH ? -1 : 1;
    return a < b ? -1 : a > b ? 1 : 0;
  });
  const [edited, others] = [
    paths.filter(isProjectPath),
    paths.filter((path) => !isProjectPath(path)),
  ];
  return {
    name,
    files: await Promise.all(edited.map(async (path) => {
      const text = files[path] ?? "";
      return { path, text, hash: await contentHash(text) };
    })),
    companions: Object.fromEntries(others.map((path) => [path, files[path] ?? ""])),
    inputSchemas: { ...inputSchemas },
  };
}
