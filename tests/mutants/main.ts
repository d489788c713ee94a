/**
 * `deno task mutants [--seed N] [--count N] [--only <path>] [--write]`: puts one small fault at a time into the
 * modules that keep tenants, callers and secrets apart, and says which faults no test notices.
 *
 * Ends with 1 below the aim or when a survivor has no reason. `--write` puts the table into docs/proof.md.
 */
import { parseArgs } from "node:util";
import { seededRandom } from "../support/random.ts";
import { testFilesIn } from "../support/runner/batches.ts";
import { HARMLESS } from "./harmless.ts";
import { Bench, type Knowledge, type Verdict } from "./judge.ts";
import { JUDGING_TESTS, OTHER_TESTS, SECURITY_MODULES } from "./modules.ts";
import { type Mutant, mutantsOf } from "./mutations.ts";
import { reachOf } from "./reach.ts";
import { reportOf, scoreOf, survivorLine, writeReport } from "./report.ts";

/** Share of mutants, in percent, that tests must notice. */
const AIM = 97;

const { values } = parseArgs({
  args: Deno.args,
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "300" },
    only: { type: "string", default: "" },
    write: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const tracked = await trackedFiles();
const modules = new Set(tracked.filter(isSecurityModule));
const mutants = sampled(await allMutants(), Number(values.count));
console.log(`${mutants.length} mutants of ${modules.size} modules, seed ${seed}`);

const knowledge = await learn();
const verdicts: Verdict[] = [];
let taken = 0;
await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, work));
verdicts.sort((one, other) => mutants.indexOf(one.mutant) - mutants.indexOf(other.mutant));
console.log(`\n${scoreOf(verdicts)}`);
if (values.write) await writeReport("docs/proof.md", reportOf(verdicts, seed));
Deno.exit(isGoodEnough() ? 0 : 1);

async function trackedFiles(): Promise<readonly string[]> {
  const { stdout } = await new Deno.Command("git", { args: ["ls-files", "-z"] }).output();
  return new TextDecoder().decode(stdout).split("\0").filter((file) => file !== "");
}

function isSecurityModule(file: string): boolean {
  return file.endsWith(".ts") && file.startsWith(values.only) &&
    SECURITY_MODULES.some((path) => file === path || file.startsWith(`${path}/`));
}

async function allMutants(): Promise<Mutant[]> {
  const found: Mutant[] = [];
  for (const module of modules) found.push(...mutantsOf(module, await Deno.readTextFile(module)));
  return found;
}

/** `count` of them by the seed, in the order of the text. */
function sampled(all: readonly Mutant[], count: number): readonly Mutant[] {
  const random = seededRandom(seed);
  const left = [...all];
  const picked = new Set<Mutant>();
  while (picked.size < Math.min(count, all.length)) {
    const [mutant] = left.splice(random.below(left.length), 1);
    if (mutant !== undefined) picked.add(mutant);
  }
  return all.filter((mutant) => picked.has(mutant));
}

/** Runs every judging test once without a fault. Throws when one fails: it could judge nothing. */
async function learn(): Promise<Knowledge> {
  const kept = await keptKnowledge();
  if (kept.knowledge !== undefined) return kept.knowledge;
  const waiting = (await testFilesIn(JUDGING_TESTS)).filter((file) => !OTHER_TESTS.test(file));
  const reach: Record<string, Knowledge["reach"][string]> = {};
  const seconds: Record<string, number> = {};
  const learnOne = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const learned = await reachOf(file, modules, Deno.cwd());
      if (!learned.passed) throw new Error(`${file} fails without any fault`);
      reach[file] = learned.reached;
      seconds[file] = learned.seconds;
    }
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, learnOne));
  const knowledge = { reach, seconds };
  await Deno.mkdir(".quickback", { recursive: true });
  await Deno.writeTextFile(kept.path, JSON.stringify(knowledge));
  return knowledge;
}

/** What an earlier run over the same sources learned. */
async function keptKnowledge(): Promise<{ readonly path: string; readonly knowledge?: Knowledge }> {
  const texts = await Promise.all(tracked.map((file) => Deno.readFile(file)));
  const all = new Blob([...texts, values.only]);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await all.arrayBuffer()));
  const path = `.quickback/mutants-${digest.toHex().slice(0, 16)}.json`;
  try {
    return { path, knowledge: JSON.parse(await Deno.readTextFile(path)) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { path };
    throw error;
  }
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

function isGoodEnough(): boolean {
  const survivors = verdicts.filter(({ outcome }) => outcome !== "killed");
  const unexplained = survivors.filter(({ mutant }) =>
    !HARMLESS.some(({ module, text, change }) =>
      module === mutant.module && text === mutant.text && change === mutant.change
    )
  );
  return unexplained.length === 0 &&
    (verdicts.length - survivors.length) * 100 >= AIM * verdicts.length;
}
