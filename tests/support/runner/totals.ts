/** The counts of a run, and the processes that died in it. */
import { type Failure, told } from "./failures.ts";
import type { BatchResult } from "./run_batch.ts";

/** What takes less is not told at the end. */
const LONG_SECONDS = 5;

export class Totals {
  passed = 0;
  failed = 0;
  #ignored = 0;
  readonly #troubles: string[] = [];
  readonly #failures: Failure[] = [];
  /** Of each file that ran to its end. */
  readonly seconds = new Map<string, number>();

  /** Adds one process. A file whose process died counts as failed when it dies again by itself. */
  add(result: BatchResult, alone: boolean): void {
    this.passed += result.passed;
    this.failed += result.failed;
    this.#ignored += result.ignored;
    this.#failures.push(...result.failures);
    for (const [file, seconds] of result.seconds) this.seconds.set(file, seconds);
    const { death } = result;
    if (death !== undefined) {
      if (alone) {
        const atLast = death.lastWords.trimEnd().split("\n").slice(-3).join("\n");
        this.#fail(death.file, `died with ${death.end}`, `${result.errors}\n${atLast}`);
      }
      const next = alone
        ? "and again by itself: it counts as failed"
        : "it runs once more by itself";
      this.#trouble(`${death.file} died with ${death.end}, ${next}`);
      console.log(`${death.lastWords}\n${result.errors}\n`);
    } else if (!result.success && result.failed === 0) {
      this.#fail(result.files.join(" "), "ended with an error", result.errors);
      this.#trouble(`${result.files.join(" ")} ended with an error, although no test of it failed`);
      console.log(`${result.errors}\n`);
    }
  }

  /**
   * Prints which files took longest, what died, which tests failed, and the line of counts that `deno test` would
   * print: the end of a log says what there is to mend. Wrong types end it instead of the counts. `leftOut` tells what
   * the run did not run.
   */
  print(seconds: number, leftOut?: string, typeErrors?: string): void {
    const longest = [...this.seconds].filter(([, own]) => own >= LONG_SECONDS)
      .sort(([, a], [, b]) => b - a).slice(0, 20)
      .map(([file, own]) => `${Math.round(own).toString().padStart(4)}s ${file}`);
    if (longest.length > 0) console.log(`\nThe longest files:\n${longest.join("\n")}`);
    if (this.#troubles.length > 0) console.log(`\n${this.#troubles.join("\n")}`);
    if (this.#failures.length > 0) {
      console.log(
        `\nThe failed tests:\n${told(this.#failures)}`,
      );
    }
    if (typeErrors !== undefined) {
      console.log(`\n${typeErrors.trimEnd()}\n\nFAILED | types are wrong: not all tests ran`);
      return;
    }
    if (leftOut !== undefined) console.log(`\n${leftOut}`);
    const ignored = this.#ignored === 0 ? "" : ` | ${this.#ignored} ignored`;
    console.log(
      `\n${
        this.failed === 0 ? "ok" : "FAILED"
      } | ${this.passed} passed | ${this.failed} failed${ignored} (${Math.round(seconds)}s)`,
    );
  }

  #fail(file: string, name: string, error: string): void {
    this.failed += 1;
    this.#failures.push({ file, name, error });
  }

  #trouble(text: string): void {
    this.#troubles.push(`!! ${text}`);
    console.log(`!! ${text}`);
  }
}
