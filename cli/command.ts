/** A command as its one record declares it, and the ways in which a person's mistake ends one (definitions 8). */
import type { Output } from "./output.ts";

export type { Output };

/** 0: done; 1: the project or the folder is at fault; 2: the command line is; 3: the network, a port or a service is. */
export type ExitCode = 0 | 1 | 2 | 3;

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

/** The command line is wrong: answered with the usage and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A folder or file is not as the command needs it: answered with the message and exit code 1. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
}

/** The network, a port or a service is not as the command needs it: answered with the message and exit code 3. */
export class EnvironmentError extends CommandError {
  override readonly name = "EnvironmentError";
}
