/** Names for what a generated module imports from the author's modules: one per module and export. */
import type { Import } from "../typescript/module.ts";
import { authoredPath, specifierTo } from "./output_paths.ts";

export interface ModuleNames {
  /** The local name of an export; `prefix` says what it is. */
  nameOf(module: string, options: { readonly exported: string; readonly prefix: string }): string;
  /** In the order in which they were named. */
  imports(): readonly Import[];
}

/** `importer` is the path of the generated module. */
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
