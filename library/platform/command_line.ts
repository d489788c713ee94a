/** Reads the words of an operator's command; what is no command line of it is refused in words for whoever typed it. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** Options and words; `misused` is told what is wrong with others. */
export function commandLine<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  misused: (why: string) => never,
) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return misused(error.message);
  }
}
