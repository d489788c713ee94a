/** Prints a command's output: results to standard output, progress and errors to standard error (definitions 8). */
import picocolors from "picocolors";

export type Colors = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Prints results without colours. */
  out(text: string): void;
  /** Prints warnings, errors, and messages of a command that continues to run. */
  err(text: string): void;
  /** Shows the current step on standard error, if that is a terminal. */
  progress(text: string): void;
  /** Colours for text on standard output. */
  readonly outColors: Colors;
  /** Colours for text on standard error. */
  readonly errColors: Colors;
}

/** Returns the process's own terminal. It uses colours only on a terminal, and never with `NO_COLOR`. */
export function processTerminal(): Terminal {
  return {
    out: (text) => console.log(text),
    err: (text) => console.error(text),
    progress: (text) => Deno.stderr.isTerminal() && console.error(text),
    outColors: picocolors.createColors(Deno.stdout.isTerminal() && !Deno.noColor),
    errColors: picocolors.createColors(Deno.stderr.isTerminal() && !Deno.noColor),
  };
}
