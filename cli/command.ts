/** A command as its one record declares it, and the ways in which a person's mistake ends one (definitions 8). */
import { ExitCode } from "./exit_codes.ts";
import type { Output } from "./output.ts";

export type { Output };

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
