/** Paths of the author's files in the output, and the imports between them. */

const ROOT = "quickback/";
const AUTHORED = "src/authored/";

/** `quickback/features/jobs/jobs.ts` → `src/authored/features/jobs/jobs.ts`. */
export function authoredPath(path: string): string {
  return AUTHORED + (path.startsWith(ROOT) ? path.slice(ROOT.length) : path);
}

export function schemaPath(feature: string): string {
  return `${AUTHORED}features/${feature}/schema.ts`;
}

/** The specifier by which the file at `from` imports the one at `to`; both are paths in the output. */
export function specifierTo(to: string, from: string): string {
  const folder = from.split("/").slice(0, -1);
  const target = to.split("/");
  let common = 0;
  while (common < folder.length && folder[common] === target[common]) common++;
  const up = "../".repeat(folder.length - common);
  return (up === "" ? "./" : up) + target.slice(common).join("/");
}
