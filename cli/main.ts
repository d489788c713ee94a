/** Command line: `quickback <command>` (definitions 8, answers P). */
import { printable } from "../shared/lib/texts.ts";
import {
  CommandError,
  EnvironmentError,
  EXIT_CODES,
  type ExitCode,
  UsageError,
} from "./exit_codes.ts";
import { readCommandLine } from "./command_line.ts";
import { COMMANDS } from "./commands.ts";
import { CommandOutput, type Format, FORMATS } from "./output.ts";
import { programName } from "./program_name.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

/** Runs one command line to its end. */
export async function main(
  args: readonly string[],
  terminal: Terminal,
  program: string = programName(Deno.env),
): Promise<ExitCode> {
  const output = new CommandOutput(terminal, program, formatIn(args));
  const line = readCommandLine(args, { program, commands: COMMANDS, terminal });
  if (line.kind === "text") {
    terminal.out(line.text);
    return 0;
  }
  if (line.kind === "refused") return refuse(line.message, line.help, output);
  try {
    const code = await line.command.run(line.args, output);
    output.end(code);
    return code;
  } catch (error) {
    if (error instanceof UsageError) return refuse(error.message, line.help, output);
    const end = failureOf(await asFailure(error));
    if (end === null) throw error;
    output.err(`${output.errColors.red("error")} ${end.message}`);
    output.end(end.code, end.message);
    return end.code;
  }
}

/** Returns the format. Even for a wrong command line, a program receives its document. */
function formatIn(args: readonly string[]): Format {
  if (args.includes("--json")) return "json";
  const named = args.flatMap((word, index) =>
    word === "--format" ? args[index + 1] ?? [] : /^--format=(.*)$/.exec(word)?.[1] ?? []
  );
  return FORMATS.find((format) => format === named.at(-1)) ?? "text";
}

function refuse(
  message: string,
  /** Usage that is printed with the mistake. */
  help: string,
  output: CommandOutput,
): ExitCode {
  output.err(`${output.errColors.red("error")} ${message}\n\n${help}`);
  const { code } = EXIT_CODES.commandLine;
  output.end(code, message);
  return code;
}

/** Converts the error of an unreachable database to a failure; any other error stays unchanged. */
async function asFailure(error: unknown): Promise<unknown> {
  // The module is loaded already: only a command that opened a database can fail like this.
  const { DatabaseUnavailableError } = await import("../shared/runtime/database_ports.ts");
  return error instanceof DatabaseUnavailableError
    ? new EnvironmentError(error.message, { cause: error })
    : error;
}

interface Failure {
  readonly code: ExitCode;
  readonly message: string;
}

/** Returns the failure; null: the error is a bug of the program, whose stack is shown. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof CommandError) {
    return { code: error.exitCode, message: error.message.split("\n").map(printable).join("\n") };
  }
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return null;
  if (!/^E[A-Z0-9]+$/.test(error.code) || !/\(os error \d+\)/.test(error.message)) return null;
  const { project, surroundings } = EXIT_CODES;
  return {
    code: (NETWORK_CODES.has(error.code) ? surroundings : project).code,
    message: `The operating system refused: ${printable(error.message)}`,
  };
}

/** Error codes of the operating system for ports, and for machines that do not answer. */
const NETWORK_CODES: ReadonlySet<string> = new Set([
  "EADDRINUSE",
  "EADDRNOTAVAIL",
  "ECONNABORTED",
  "ECONNREFUSED",
  "ECONNRESET",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTCONN",
  "EPIPE",
  "ETIMEDOUT",
]);

if (import.meta.main) Deno.exit(await main(Deno.args, processTerminal()));
