/** Holds mutants against the tests that run their function, in a copy of the tree. */
import { digestOf, kept } from "./kept.ts";
import type { Mutant } from "./mutations.ts";
import type { Reach } from "./reach.ts";

export interface Verdict {
  readonly mutant: Mutant;
  readonly outcome: "killed" | "survived" | "unreached";
}

/** Test file → the functions that it runs, learned before the first mutant. */
export type Knowledge = Readonly<Record<string, Reach>>;

/** Test files in one process: a process that fails spares the others. */
const AT_ONCE = 6;
/** A mutant that does not end is killed after this many milliseconds for each process. */
const DEADLINE = 240_000;
/** Seconds of tests for one mutant; one that outlives them survives, though a slower test might kill it. */
const BUDGET = 75;

/** Mutants that a test file killed, by module (or "") and file: where one fell, the next is likely to. */
const kills = new Map<string, number>();

function killsOf(module: string, file: string): number {
  return kills.get(`${module} ${file}`) ?? 0;
}

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

  /** Runs the tests of the mutant's function until one fails. A kill of an earlier run holds. */
  async judge(mutant: Mutant, knowledge: Knowledge): Promise<Verdict> {
    if (testsOf(mutant, knowledge).length === 0) return { mutant, outcome: "unreached" };
    const key = `killed-${await digestOf(`${mutant.module}\n${mutant.source}`)}`;
    try {
      await kept(key, () => this.#kill(mutant, knowledge));
      return { mutant, outcome: "killed" };
    } catch (error) {
      if (error instanceof Survived) return { mutant, outcome: "survived" };
      throw error;
    }
  }

  /** Returns the test files of the process that failed. Throws `Survived` when none does. */
  async #kill(mutant: Mutant, knowledge: Knowledge): Promise<readonly string[]> {
    const likely = [...testsOf(mutant, knowledge)].sort((one, other) =>
      killsOf(mutant.module, other) - killsOf(mutant.module, one) ||
      killsOf("", other) - killsOf("", one)
    );
    const path = `${this.#root}/${mutant.module}`;
    const original = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, mutant.source);
    try {
      for (let rest = likely; rest.length > 0;) {
        // The likeliest alone: most mutants end there.
        const batch = rest.slice(0, rest === likely ? 1 : AT_ONCE);
        if (!await this.#passes(batch, mutant)) return batch;
        rest = rest.slice(batch.length);
      }
    } finally {
      await Deno.writeTextFile(path, original);
    }
    throw new Survived();
  }

  async #passes(tests: readonly string[], { module }: Mutant): Promise<boolean> {
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
    for (const key of [`${module} ${killer}`, ` ${killer}`]) {
      kills.set(key, (kills.get(key) ?? 0) + 1);
    }
    return success;
  }
}

class Survived extends Error {}

/** Tests that run the mutant's function, as many as fit the budget: in turn one that runs much of the module, and a quick one. */
function testsOf({ module, inside }: Mutant, knowledge: Knowledge): readonly string[] {
  const share = ({ reached }: Reach) => reached[module]?.length ?? 0;
  const quick = Object.entries(knowledge)
    .filter(([, { reached }]) => reached[module]?.includes(inside ?? ""))
    .sort(([, one], [, other]) => one.seconds - other.seconds);
  const thorough = quick.toSorted(([, one], [, other]) => share(other) - share(one));
  const tests = new Set<string>();
  let left = BUDGET;
  for (const [file, { seconds }] of thorough.flatMap((one, at) => [one, quick[at] ?? one])) {
    if (seconds > left || tests.has(file)) continue;
    left -= seconds;
    tests.add(file);
  }
  return [...tests];
}
