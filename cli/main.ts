/** The command line: `deno task quickback <command>` (definitions 8). */
import { printable } from "../shared/lib/printable.ts";
import { readArguments } from "./arguments.ts";
import { type Command, CommandError, type ExitCode, UsageError } from "./command.ts";
import { auditSqlCommand } from "./commands/audit_sql/command.ts";
import { compileCommand } from "./commands/compile.ts";
import { conformanceCommand } from "./commands/conformance/command.ts";
import { devCommand } from "./commands/dev.ts";
import { loginCommand, logoutCommand } from "./commands/login.ts";
import { diffCommand } from "./commands/diff/command.ts";
import { leakcheckCommand } from "./commands/leakcheck/command.ts";
import { newCommand } from "./commands/new.ts";
import { validateCommand } from "./commands/validate.ts";
import { whyCommand } from "./commands/why/command.ts";
import { commandHelp, overview } from "./help.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

const COMMANDS: readonly Command[] = [
  newCommand,
  devCommand,
  compileCommand,
  validateCommand,
  diffCommand,
  conformanceCommand,
  leakcheckCommand,
  auditSqlCommand,
  whyCommand,
  loginCommand,
  logoutCommand,
];

/** Runs one command line to its end. */
export async function main(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const [name, ...rest] = args;
  if (isHelp(name)) return help(rest[0], terminal);
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) return refuseCommand(name, terminal);
  if (rest.some(isHelpFlag)) return help(name, terminal);
  try {
    return await command.run(readArguments(command, rest), terminal);
  } catch (error) {
    return failure(error, command, terminal);
  }
}

function help(name: string | undefined, terminal: Terminal): ExitCode {
  if (name === undefined) {
    terminal.out(overview(COMMANDS, terminal.outColors));
    return 0;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) return refuseCommand(name, terminal);
  terminal.out(commandHelp(command, terminal.outColors));
  return 0;
}

function refuseCommand(name: string | undefined, terminal: Terminal): ExitCode {
  const { errColors } = terminal;
  const message = name === undefined ? "Name a command" : `There is no command "${name}"`;
  terminal.err(`${errColors.red("error")} ${message}\n\n${overview(COMMANDS, errColors)}`);
  return 2;
}

function failure(error: unknown, command: Command, { err, errColors }: Terminal): ExitCode {
  if (error instanceof UsageError) {
    err(`${errColors.red("error")} ${error.message}\n\n${commandHelp(command, errColors)}`);
    return 2;
  }
  if (error instanceof CommandError) {
    const lines = error.message.split("\n").map(printable);
    err(`${errColors.red("error")} ${lines.join("\n")}`);
    return 1;
  }
  if (isSystemError(error)) {
    err(`${errColors.red("error")} The operating system refused: ${printable(error.message)}`);
    return 1;
  }
  throw error;
}

/**
 * True for a mistake in the file system: a folder that is a file, a full disk, a missing permission. Its message has the
 * path in it.
 */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && typeof error.code === "string" &&
    /^E[A-Z0-9]+$/.test(error.code) && /\(os error \d+\)/.test(error.message);
}

function isHelp(name: string | undefined): boolean {
  return name === "help" || isHelpFlag(name);
}

function isHelpFlag(argument: string | undefined): boolean {
  return argument === "--help" || argument === "-h";
}

if (import.meta.main) Deno.exit(await main(Deno.args, processTerminal()));
