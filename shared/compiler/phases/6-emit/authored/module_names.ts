/** Chooses local names for a generated module's imports of the author's modules: one for each module and export. */
import type { Import } from "../typescript/source.ts";

export interface ModuleNames {
  /** Returns the local name of an export; `prefix` describes the export. */
  nameOf(module: string, options: { readonly exported: string; readonly prefix: string }): string;
  /** Returns the imports, in the order in which they were named. */
  imports(): readonly Import[];
}

/** Returns the names of one generated module; `importer` is the module's path. */
export function moduleNames(importer: string): ModuleNames {
  const modules = new Map<string, Map<string, string>>();
  let named = 0;
  return {
    nameOf(module, { exported, prefix }) {
      const names = modules.get(module) ?? new Map<string, string>();
      modules.set(module, names);
      const local = names.get(exported) ?? `${prefix}${++named}`;
      names.set(exported, local);
      return local;
    },
    imports: () =>
      [...modules].map(([module, names]) => ({
        from: specifierTo(authoredPath(module), importer),
        names: [...names].map(([exported, local]) => `${exported} as ${local}`),
      })),
  };
}

/** Computes the paths of the author's files in the output, and the specifiers of imports between them. */

const ROOT = "quickback/";
const AUTHORED = "src/authored/";

/** Turns `quickback/features/jobs/jobs.ts` into `src/authored/features/jobs/jobs.ts`. */
export function authoredPath(path: string): string {
  return AUTHORED + (path.startsWith(ROOT) ? path.slice(ROOT.length) : path);
}

export function schemaPath(feature: string): string {
  return `${AUTHORED}features/${feature}/schema.ts`;
}

/** Returns the specifier with which the file at `from` imports the one at `to`; both are paths in the output. */
export function specifierTo(to: string, from: string): string {
  const folder = from.split("/").slice(0, -1);
  const target = to.split("/");
  let common = 0;
  while (common < folder.length && folder[common] === target[common]) common++;
  const up = "../".repeat(folder.length - common);
  return (up === "" ? "./" : up) + target.slice(common).join("/");
}
