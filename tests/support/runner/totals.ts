/** The counts of a run, and the processes that died in it. */
import type { BatchResult } from "./run_batch.ts";

export class Totals {
  passed = 0;
  failed = 0;
  #ignored = 0;
  readonly #troubles: string[] = [];

  /** Adds one process. A file whose process died counts as failed when it dies again by itself. */
  add(result: BatchResult, alone: boolean): void {
    this.passed += result.passed;
    this.failed += result.failed;
    this.#ignored += result.ignored;
    const { death } = result;
    if (death !== undefined) {
      if (alone) this.failed += 1;
      const next = alone
        ? "and again by itself: it counts as failed"
        : "it runs once more by itself";
      this.#trouble(`${death.file} died with ${death.end}, ${next}`);
      console.log(`${death.lastWords}\n${result.errors}\n`);
    } else if (!result.success && result.failed === 0) {
      this.failed += 1;
      this.#trouble(`${result.files.join(" ")} ended with an error, although no test of it failed`);
      console.log(`${result.errors}\n`);
    }
  }

  /** Prints what died, and the line of counts that `deno test` would print. */
  print(seconds: number): void {
    if (this.#troubles.length > 0) console.log(`\n${this.#troubles.join("\n")}`);
    const ignored = this.#ignored === 0 ? "" : ` | ${this.#ignored} ignored`;
    console.log(
      `\n${
        this.failed === 0 ? "ok" : "FAILED"
      } | ${this.passed} passed | ${this.failed} failed${ignored} (${Math.round(seconds)}s)`,
    );
  }

  #trouble(text: string): void {
    this.#troubles.push(`!! ${text}`);
    console.log(`!! ${text}`);
  }
}
