/** `middlewares/*.ts`: a default-exported Hono middleware each, in file-name order (definitions 6). */
import type { AuthoredFile } from "../../values.ts";
import type { AuthoredInput } from "./read_authored.ts";
import { importedFiles } from "./unused.ts";

export function readMiddlewares(
  files: readonly AuthoredFile[],
  { definitions, report }: AuthoredInput,
): readonly string[] {
  return files.flatMap(({ file, isParsed, exported }) => {
    // A library's call, such as `timing()`, makes one as well as a function does.
    const isCode = exported !== null && ["function", "call", "other"].includes(exported.kind);
    if (isCode) return [file];
    const isHelper = exported === null && importedFiles(definitions).has(file);
    if (!isParsed || isHelper) return [];
    const place = exported?.place ?? { file, line: 1, column: 1, length: 1 };
    report.add("MIDDLEWARE_EXPORT", place, { file });
    return [];
  });
}
