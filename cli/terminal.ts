/** Output of a command: results to standard output, progress and errors to standard error (definitions 8). */
import picocolors from "picocolors";

export type Colors = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Results, plain. */
  out(text: string): void;
  /** Warnings, errors, and what a command that stays tells. */
  err(text: string): void;
  /** Says on standard error which step is under way: for a person who waits, and for nobody where that is no terminal. */
  progress(text: string): void;
  /** For text on standard output. */
  readonly outColors: Colors;
  /** For text on standard error. */
  readonly errColors: Colors;
}

/** The process's own terminal; colours only where a person reads, and never against `NO_COLOR`. */
export function processTerminal(): Terminal {
  return {
    out: (text) => console.log(text),
    err: (text) => console.error(text),
    progress: (text) => Deno.stderr.isTerminal() && console.error(text),
    outColors: picocolors.createColors(Deno.stdout.isTerminal() && !Deno.noColor),
    errColors: picocolors.createColors(Deno.stderr.isTerminal() && !Deno.noColor),
  };
}
