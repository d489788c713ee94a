/** Paths that no folder can hold together on every file system: an output must be writable anywhere (definitions 1). */

interface PathCollision {
  readonly path: string;
  /** The path that came before it. */
  readonly other: string;
}

/** Two that differ in case only, or one that is a folder of the other; each path once, in the order given. */
export function pathCollisions(paths: readonly string[]): readonly PathCollision[] {
  const files = new Map<string, string>();
  const folders = new Map<string, string>();
  return paths.flatMap((path) => {
    const folded = path.toLowerCase();
    const above = foldersOf(folded);
    const other = files.get(folded) ?? folders.get(folded) ??
      above.map((folder) => files.get(folder)).find((file) => file !== undefined);
    files.set(folded, path);
    for (const folder of above) folders.set(folder, path);
    return other === undefined ? [] : [{ path, other }];
  });
}

function foldersOf(path: string): readonly string[] {
  const segments = path.split("/");
  return segments.slice(1).map((_segment, index) => segments.slice(0, index + 1).join("/"));
}
