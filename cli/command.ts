/** A command, and the two ways in which a person's mistake ends one (definitions 8). */
import type { ParseArgsOptionsConfig } from "node:util";
import type { Terminal } from "./terminal.ts";

/** 0: done; 1: the project or the folder is at fault; 2: the command line is. */
export type ExitCode = 0 | 1 | 2;

export interface Arguments {
  readonly positionals: readonly string[];
  /** Values of options that take one. */
  readonly values: ReadonlyMap<string, string>;
  /** Options that are there or not. */
  readonly flags: ReadonlySet<string>;
}

export interface Command {
  readonly name: string;
  /** After the command's name: `<folder> --out <folder>`. */
  readonly usage: string;
  readonly summary: string;
  readonly positionals: { readonly least: number; readonly most: number };
  readonly options: ParseArgsOptionsConfig;
  /** One line for each option. */
  readonly optionHelp: Readonly<Record<string, string>>;
  run(args: Arguments, terminal: Terminal): Promise<ExitCode>;
}

/** The command line is wrong: answered with the usage and exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A folder, file or port is not as the command needs it: answered with the message and exit code 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
