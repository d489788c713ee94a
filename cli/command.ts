/** Types of a command's record, and the errors for a user's mistake that end a command (definitions 8). */
import { ExitCode } from "./exit_codes.ts";
import type { Output } from "./output.ts";

export type { Output };

export interface Arguments {
  readonly positionals: readonly string[];
  /** Values of options that take one. */
  readonly values: ReadonlyMap<string, string>;
  /** Options without a value that were given. */
  readonly flags: ReadonlySet<string>;
}

export interface CommandOption {
  /** Name of its value in the help; absent: the option takes no value. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly help: string;
}

export interface Command {
  /** Name, such as `compile`, or `db backup` for a command in a group. */
  readonly name: string;
  /** Usage after the command's name: `<folder> --out <folder>`. */
  readonly usage: string;
  readonly summary: string;
  /** Arguments in order: `<folder>` is required, `[folder]` is optional, `[args...]` are any number. */
  readonly arguments: readonly string[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** True for a command for programs, which no help lists. */
  readonly isHidden?: boolean;
  /** True when the command prints findings in definitions, which `--format` converts to other forms. */
  readonly printsFindings?: boolean;
  /** Runs the command. It loads its code only now, so that help and completion load no compiler. */
  run(args: Arguments, output: Output): Promise<ExitCode>;
}
