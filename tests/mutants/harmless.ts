/** Mutants that change nothing which a caller could ever see, each with the reason: they do not count, and are listed. */

export interface Harmless {
  readonly module: string;
  /** The line of the module, trimmed. */
  readonly text: string;
  readonly change: string;
  readonly reason: string;
}

export const HARMLESS: readonly Harmless[] = [];
