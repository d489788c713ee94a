/** Files and all that they import, `../schema` included (definitions 5). */
import type { CodeFile, Definitions } from "../../values.ts";

/** Sorted by path. */
export function reachable(
  roots: readonly string[],
  { code, tables }: Definitions,
): readonly CodeFile[] {
  const visited = new Set<string>();
  const pending = [...roots];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const file = code.get(path);
    if (visited.has(path) || !file) continue;
    visited.add(path);
    for (const { target } of file.imports) {
      if (target.kind === "file") pending.push(target.file);
      if (target.kind !== "schema") continue;
      const gathered = tables.filter(({ feature }) => feature === target.feature);
      pending.push(...gathered.map((table) => table.file));
    }
  }
  return [...visited].sort().flatMap((path) => code.get(path) ?? []);
}
