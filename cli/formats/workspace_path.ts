/** Paths as a service of continuous integration wants them: from the top of what it has checked out. */
import { join, relative, resolve, sep } from "node:path";

/** From `GITHUB_WORKSPACE` where there is one, else from the working folder; with forward slashes. */
export function workspacePath(folder: string, file: string): string {
  const top = Deno.env.get("GITHUB_WORKSPACE") || Deno.cwd();
  return relative(top, join(resolve(folder), file)).split(sep).join("/");
}
