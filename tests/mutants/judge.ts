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
/** Seconds of tests for one mutant; one that outlives them survives, though a slower test might kill it. */
const BUDGET = 150;

/** A copy of the tree in which one mutant at a time stands. */
export class Bench {
  readonly #root: string;
  /** Test file → mutants that it killed: where one fell, the next is likely to. */
  static readonly #kills = new Map<string, number>();

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

  /** Runs the tests of the mutant's function, those that killed most first, until one fails. */
  async judge(mutant: Mutant, knowledge: Knowledge): Promise<Verdict> {
    const tests = [...testsOf(mutant, knowledge)].sort((one, other) =>
      (Bench.#kills.get(other) ?? 0) - (Bench.#kills.get(one) ?? 0)
    );
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
    const { success, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--quiet", "--fail-fast", ...tests],
      cwd: this.#root,
      env: { NO_COLOR: "1" },
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal: deadline,
    }).output();
    const killer = / => \.\/(\S+?):/.exec(new TextDecoder().decode(stdout))?.[1];
    if (killer !== undefined) Bench.#kills.set(killer, (Bench.#kills.get(killer) ?? 0) + 1);
    return success;
  }
}

/** Tests that run the mutant's function, the quick ones first, as many as fit the budget. */
function testsOf(mutant: Mutant, { reach, seconds }: Knowledge): readonly string[] {
  let left = BUDGET;
  return Object.keys(reach)
    .filter((file) => reach[file]?.[mutant.module]?.includes(mutant.inside ?? ""))
    .sort((one, other) => (seconds[one] ?? 0) - (seconds[other] ?? 0))
    .filter((file) => (left -= seconds[file] ?? 0) > 0);
}
