/** A command as its one record declares it, and the ways in which a person's mistake ends one (definitions 8). */
import type { Output } from "./output.ts";

export type { Output };

/** Every exit code of the command line; help tells the texts, and each failure below has its own. */
export const EXIT_CODES = {
  done: { code: 0, when: "done" },
  project: { code: 1, when: "the project or a folder is not as the command needs it" },
  commandLine: { code: 2, when: "the command line is wrong" },
  surroundings: { code: 3, when: "the network, a port, a database or a service is not" },
} as const;

export type ExitCode = typeof EXIT_CODES[keyof typeof EXIT_CODES]["code"];

export interface Arguments {
  readonly positionals: readonly string[];
  /** Values of options that take one. */
  readonly values: ReadonlyMap<string, string>;
  /** Options that are there or not. */
  readonly flags: ReadonlySet<string>;
}

export interface CommandOption {
  /** Name of its value in the help; left out, the option is there or not. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Command {
  /** `compile`; of a command in a group, `db backup`. */
  readonly name: string;
  /** After the command's name: `<folder> --out <folder>`. */
  readonly usage: string;
  readonly summary: string;
  /** In their order: `<folder>` must be there, `[folder]` may, `[args...]` are any number. */
  readonly arguments: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** True: for programs; no help names it. */
  readonly isHidden?: boolean;
  /** True: it prints findings in definitions, which `--format` puts into other forms. */
  readonly printsFindings?: boolean;
  /** Loads what it runs only then: help and completion load no compiler. */
  run(args: Arguments, output: Output): Promise<ExitCode>;
}

/** The command line is wrong: answered with the usage, too. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly exitCode: ExitCode = EXIT_CODES.commandLine.code;
}

/** A folder or file is not as the command needs it: answered with the message. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: ExitCode = EXIT_CODES.project.code;
}

/** The network, a port, a database or a service is not as the command needs it: answered with the message. */
export class EnvironmentError extends CommandError {
  override readonly name = "EnvironmentError";
  override readonly exitCode: ExitCode = EXIT_CODES.surroundings.code;
}
