/** Files outside of features that nothing leads to (definitions 6). Plugins are carried through all the same. */
import type { Definitions } from "../../values.ts";
import type { AuthoredInput } from "./read_authored.ts";

export function importedFiles({ code }: Definitions): ReadonlySet<string> {
  return new Set(
    [...code.values()].flatMap(({ imports }) =>
      imports.flatMap(({ target }) => target.kind === "file" ? [target.file] : [])
    ),
  );
}

const PLUGINS = "quickback/plugins/";

/** `modules` are those that the project's own code begins in. */
export function warnUnused(
  modules: readonly string[],
  { definitions, report }: AuthoredInput,
): void {
  const used = new Set([...modules, ...importedFiles(definitions)]);
  const broken = new Set(report.filesWithErrors);
  for (const { file } of definitions.authored) {
    if (used.has(file) || broken.has(file) || file.startsWith(PLUGINS)) continue;
    report.add("AUTHORED_UNUSED", { file, line: 1, column: 1, length: 1 }, { file });
  }
}
