/**
 * `deno task mutants [--seed N] [--count N] [--only <path>] [--fresh] [--write]`: puts one small fault at a time into
 * the modules that keep tenants, callers and secrets apart, and says which faults no test notices.
 *
 * Ends with 1 below the aim. `--write` puts the table into docs/proof.md. An earlier run's kills
 * hold while their module stays as it was; `--fresh` judges all again.
 */
import { parseArgs } from "node:util";
import { compareText } from "../../shared/lib/texts.ts";
import { testFilesIn } from "../support/runner/batches.ts";
import { Bench, type Knowledge, type Verdict } from "./judge.ts";
import { digestOf, forgetAll, kept } from "./kept.ts";
import { JUDGING_TESTS, OTHER_TESTS, SECURITY_MODULES } from "./modules.ts";
import { type Mutant, mutantsOf } from "./mutations.ts";
import { reachOf } from "./reach.ts";
import { isGoodEnough, reportOf, scoreOf, survivorLine, writeReport } from "./report.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    only: { type: "string", default: "" },
    fresh: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
if (values.fresh) await forgetAll();
const tracked = await trackedFiles();
const moved = SECURITY_MODULES.filter((path) => !tracked.some((file) => isWithin(file, path)));
if (moved.length > 0) throw new Error(`No such modules: ${moved.join(", ")}`);
const modules = new Set(tracked.filter(isSecurityModule));
const mutants = await sampled(await allMutants(), Number(values.count));
console.log(`${mutants.length} mutants of ${modules.size} modules, seed ${seed}`);

const knowledge = await learn();
const verdicts: Verdict[] = [];
let taken = 0;
await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, work));
verdicts.sort((one, other) => mutants.indexOf(one.mutant) - mutants.indexOf(other.mutant));
console.log(`\n${scoreOf(verdicts)}`);
if (values.write) await writeReport("docs/proof.md", reportOf(verdicts, seed));
Deno.exit(isGoodEnough(verdicts) ? 0 : 1);

async function trackedFiles(): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command("git", { args: ["ls-files", "-z"] }).output();
  return new TextDecoder().decode(stdout).split("\0").filter((file) => file !== "");
}

function isSecurityModule(file: string): boolean {
  return file.endsWith(".ts") && file.startsWith(values.only) &&
    SECURITY_MODULES.some((path) => isWithin(file, path));
}

function isWithin(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

async function allMutants(): Promise<Mutant[]> {
  const found: Mutant[] = [];
  for (const module of modules) found.push(...mutantsOf(module, await Deno.readTextFile(module)));
  return found;
}

/** `count` of them by the seed, in the order of the text: the same ones while their lines stay as they are. */
async function sampled(all: readonly Mutant[], count: number): Promise<readonly Mutant[]> {
  const ranked = await Promise.all(all.map(async (mutant) => ({
    mutant,
    rank: await digestOf(`${seed}\n${mutant.text}\n${mutant.change}`),
  })));
  ranked.sort((one, other) => compareText(one.rank, other.rank));
  const picked = new Set(ranked.slice(0, count).map(({ mutant }) => mutant));
  return all.filter((mutant) => picked.has(mutant));
}

/** Runs every judging test once without a fault. Throws when one fails: it could judge nothing. */
async function learn(): Promise<Knowledge> {
  const texts = await Promise.all([...modules].map((file) => Deno.readTextFile(file)));
  const sources = await digestOf(texts.join("\n"));
  const waiting = (await testFilesIn(JUDGING_TESTS)).filter((file) => !OTHER_TESTS.test(file));
  const learned: Record<string, Knowledge[string]> = {};
  const learnOne = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const key = `reach-${await digestOf(sources + await Deno.readTextFile(file))}`;
      learned[file] = await kept(key, () => reachOf(file, modules, Deno.cwd()));
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, learnOne));
  return learned;
}

async function work(): Promise<void> {
  const bench = await Bench.open(tracked);
  try {
    for (let mutant = next(); mutant !== undefined; mutant = next()) {
      const verdict = await bench.judge(mutant, knowledge);
      verdicts.push(verdict);
      if (verdict.outcome !== "killed") console.log(survivorLine(verdict));
    }
  } finally {
    await bench.close();
  }
}

function next(): Mutant | undefined {
  return mutants[taken++];
}
