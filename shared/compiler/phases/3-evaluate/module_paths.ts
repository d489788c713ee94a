/** Resolves a relative path to the files that it may refer to (definitions 7: imports may end in `.ts` or not). */

/** Joins two paths; null when the result is outside of the project, or `path` is not relative. */
export function joinedPath(from: string, path: string): string | null {
  return path.startsWith("./") || path.startsWith("../") ? joined(from, path) : null;
}

/** Joins two paths; null when the result is outside of the project. */
export function joined(from: string, path: string): string | null {
  const segments = from.split("/").slice(0, -1);
  for (const segment of path.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join("/");
}

export function candidatesFor(path: string): readonly string[] {
  return [path, `${path}.ts`, path.replace(/\.js$/, ".ts"), `${path}/index.ts`];
}
