/** Proofs about patterns, each made once in a compile: nothing else that a compile does takes as long (definitions 5). */
import { PAUSE, type Steps } from "../../../../../lib/steps.ts";
import { patternFault } from "./linear_time.ts";

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

export class PatternProofs {
  readonly #faults = new Map<string, string | null>();

  /** The fault of the pattern; null: it is linear. */
  faultOf({ source, flags }: Pattern): string | null {
    const key = `${flags}/${source}`;
    const known = this.#faults.get(key);
    if (known !== undefined) return known;
    const fault = patternFault(source, flags);
    this.#faults.set(key, fault);
    return fault;
  }

  /** Makes the proofs that will be asked for, with a pause after each. */
  *prepare(patterns: Iterable<Pattern>): Steps<void> {
    for (const pattern of patterns) {
      this.faultOf(pattern);
      yield PAUSE;
    }
  }
}
