/** Holds mutants against the tests that run their function, in a copy of the tree. */
import type { Mutant } from "./mutations.ts";
import type { Reach } from "./reach.ts";

export interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: "killed" | "survived" | "unreached";
  /** How many test files run the mutant's function. */
  readonly tests: number;
}

/** What is known of the tests before the first mutant. */
export interface Knowledge {
  readonly reach: Reach;
  readonly seconds: Readonly<Record<string, number>>;
}

/** Test files in one process: a process that fails spares the others. */
const AT_ONCE = 6;
/** A mutant that does not end is killed after this many milliseconds for each process. */
const DEADLINE = 240_000;

/** A copy of the tree in which one mutant at a time stands. */
export class Bench {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Copies the tracked files of the tree in the current folder. */
  static async open(files: readonly string[]): Promise<Bench> {
    const root = await Deno.makeTempDir({ prefix: "quickback-mutants-" });
    for (const file of files) {
      await Deno.mkdir(`${root}/${file}`.replace(/\/[^/]*$/, ""), { recursive: true });
      await Deno.copyFile(file, `${root}/${file}`);
    }
    return new Bench(root);
  }

  async close(): Promise<void> {
    await Deno.remove(this.#root, { recursive: true });
  }

  /** Runs the tests of the mutant's function, the quick ones first, until one fails. */
  async judge(mutant: Mutant, knowledge: Knowledge): Promise<Verdict> {
    const tests = testsOf(mutant, knowledge);
    const path = `${this.#root}/${mutant.module}`;
    const original = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, mutant.source);
    try {
      for (let at = 0; at < tests.length; at += AT_ONCE) {
        if (!await this.#passes(tests.slice(at, at + AT_ONCE))) {
          return { mutant, outcome: "killed", tests: tests.length };
        }
      }
    } finally {
      await Deno.writeTextFile(path, original);
    }
    return { mutant, outcome: tests.length === 0 ? "unreached" : "survived", tests: tests.length };
  }

  async #passes(tests: readonly string[]): Promise<boolean> {
    const deadline = AbortSignal.timeout(DEADLINE);
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--quiet", "--fail-fast", ...tests],
      cwd: this.#root,
      stdin: "null",
      stdout: "null",
      stderr: "null",
      signal: deadline,
    }).output();
    return success;
  }
}

function testsOf(mutant: Mutant, { reach, seconds }: Knowledge): readonly string[] {
  return Object.keys(reach)
    .filter((file) => reach[file]?.[mutant.module]?.includes(mutant.inside ?? ""))
    .sort((one, other) => (seconds[one] ?? 0) - (seconds[other] ?? 0));
}
