/** Output of a command: results to standard output, progress and errors to standard error (definitions 8). */
import picocolors from "picocolors";

export type Colors = ReturnType<typeof picocolors.createColors>;

export interface Terminal {
  /** Results, plain. */
  out(text: string): void;
  /** Progress, warnings, errors. */
  err(text: string): void;
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
    outColors: picocolors.createColors(Deno.stdout.isTerminal() && !Deno.noColor),
    errColors: picocolors.createColors(Deno.stderr.isTerminal() && !Deno.noColor),
  };
}
