/** Caches the proofs about patterns: each is made once in a compile, because it is the slowest step of all (definitions 5). */
import { PAUSE, type Steps } from "../../../../../lib/steps.ts";
import { patternFault } from "./linear_time.ts";

export interface Pattern {
  readonly source: string;
  readonly flags: string;
}

export class PatternProofs {
  readonly #faults = new Map<string, string | null>();

  /** Returns the fault of the pattern; null if it matches in linear time. */
  faultOf({ source, flags }: Pattern): string | null {
    const key = `${flags}/${source}`;
    const known = this.#faults.get(key);
    if (known !== undefined) return known;
    const fault = patternFault(source, flags);
    this.#faults.set(key, fault);
    return fault;
  }

  /** Makes the proofs that the compile needs later, with a pause after each. */
  *prepare(patterns: Iterable<Pattern>): Steps<void> {
    for (const pattern of patterns) {
      this.faultOf(pattern);
      yield PAUSE;
    }
  }
}
