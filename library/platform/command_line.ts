/** Parses the words of an operator's command. An invalid one is refused with a message for the user. */
import { parseArgs, type ParseArgsOptionsConfig } from "node:util";

/** Parses options and words. `misused` is called with what is wrong. */
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
