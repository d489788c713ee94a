/** Paths that the page may write: the compiler's own list, below `quickback/` (contract 4.8, definitions 1). */
import { readPath } from "../../shared/compiler/mod.ts";
import { PlaygroundRefusal } from "./refusal.ts";

/** False for what a compile never reads: hidden files, packages, and the history of migrations. */
export function isDefinitionPath(path: string): boolean {
  const { role } = readPath(path);
  if (role === null || role.kind === "migrationState") return false;
  const segments = path.split("/");
  return segments[0] === "quickback" &&
    !segments.some((segment) => segment.startsWith(".") || segment === "node_modules");
}

export function requireDefinitionPath(path: string): void {
  if (isDefinitionPath(path)) return;
  throw new PlaygroundRefusal(
    "PATH_REFUSED",
    `${
      JSON.stringify(path.slice(0, 200))
    } is no path of a definition: use quickback/features/<name>/<name>.ts`,
  );
}
