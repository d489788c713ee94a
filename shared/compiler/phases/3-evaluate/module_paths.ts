/** Resolves a relative path to the files that it may mean (definitions 7: imports may end in `.ts` or not). */

/** Null when it leads out of the project, or is no relative path. */
export function joinedPath(from: string, path: string): string | null {
  return path.startsWith("./") || path.startsWith("../") ? joined(from, path) : null;
}

/** Null when it leads out of the project. */
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
