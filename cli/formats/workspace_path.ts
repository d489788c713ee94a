/** Writes paths as continuous integration expects them: relative to the root of the checkout. */
import { join, relative, resolve, sep } from "node:path";

/** Returns the path relative to `GITHUB_WORKSPACE` if it is set, or else to the working folder; with forward slashes. */
export function workspacePath(folder: string, file: string): string {
  const top = Deno.env.get("GITHUB_WORKSPACE") || Deno.cwd();
  return relative(top, join(resolve(folder), file)).split(sep).join("/");
}
