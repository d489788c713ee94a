/** Reads a command line against a command's declaration; anything undeclared is refused (definitions 8). */
import { parseArgs } from "node:util";
import { type Arguments, type Command, UsageError } from "./command.ts";

/** The arguments after the command's name. */
export function readArguments(command: Command, args: readonly string[]): Arguments {
  const { values, positionals } = parsedStrictly(command, args);
  const { least, most } = command.positionals;
  if (positionals.length < least || positionals.length > most) {
    throw new UsageError(`Command "${command.name}" is written: ${command.name} ${command.usage}`);
  }
  const entries = Object.entries(values);
  return {
    positionals,
    values: new Map(
      entries.flatMap(([name, value]) => typeof value === "string" ? [[name, value]] : []),
    ),
    flags: new Set(entries.flatMap(([name, value]) => value === true ? [name] : [])),
  };
}

function parsedStrictly(command: Command, args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ...command.options },
      allowPositionals: true,
      strict: true,
    });
  } catch (error) {
    // parseArgs throws TypeErrors with ERR_PARSE_ARGS_* codes for what a person typed.
    if (error instanceof TypeError && "code" in error) {
      throw new UsageError(sentence(error.message));
    }
    throw error;
  }
}

/** The first sentence of the library's message, in our spelling: no final period. */
function sentence(message: string): string {
  return message.split(". ")[0]?.replace(/\.$/, "") ?? message;
}
