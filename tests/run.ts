/**
 * `deno task test [files or folders] [--all] [--seed n] [--measure] [options of deno test]`: runs the tests, some files to
 * a process.
 *
 * Without paths it leaves out the files that take long, and says so at its end; `--all` runs every file. `--seed` repeats
 * the company and the order of an earlier run. `--measure` writes down how long each file took.
 *
 * Deno's own `--parallel` runs files as threads of one process, and a crash of the engine in one of them ends the
 * run without a word about the rest. Here a crash ends one process: the file that it was running is named, and runs
 * once more by itself; what had not run yet runs in another process.
 */
import { type Batch, batchesOf, testFilesIn } from "./support/runner/batches.ts";
import { type BatchResult, runBatch } from "./support/runner/run_batch.ts";
import { isShort, secondsOf, writeSeconds } from "./support/runner/seconds.ts";
import { Totals } from "./support/runner/totals.ts";

const { all, measure, seed, options, paths } = readArguments(Deno.args);
const started = performance.now();

const found = await testFilesIn(paths.length === 0 ? ["tests"] : paths).catch((error: unknown) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
  console.error(error.message);
  Deno.exit(1);
});
if (found.length === 0) {
  console.error(`No file ends in "_test.ts" below ${paths.join(", ")}`);
  Deno.exit(1);
}
const files = all || paths.length > 0 ? found : found.filter(isShort);
const totals = new Totals();
const waiting = batchesOf(files, seed);
if (seed !== null) {
  console.log(`Seed ${seed} (--seed ${seed} repeats company and order of the files)`);
}
// Deno keeps the answer to one and the same question: `deno task check` asks it too.
const checked = typeErrorsOf(paths.length === 0 ? ["."] : files);
await Promise.all([checked, ...Array.from({ length: processCount() }, work)]);
if (measure) await writeSeconds(totals.seconds, await testFilesIn(["tests"]));
totals.print((performance.now() - started) / 1000, leftOutOf(found, files), await checked);
Deno.exit(await checked === undefined && totals.failed === 0 ? 0 : 1);

interface Arguments {
  readonly all: boolean;
  readonly measure: boolean;
  /** Null keeps the order of the paths: a run of named files. */
  readonly seed: number | null;
  /** For `deno test`, as they are. */
  readonly options: readonly string[];
  readonly paths: readonly string[];
}

function readArguments(args: readonly string[]): Arguments {
  const rest = [...args];
  const take = (name: string) =>
    rest.includes(name) && rest.splice(rest.indexOf(name), 1).length > 0;
  const at = rest.indexOf("--seed");
  const [, text] = at < 0 ? [] : rest.splice(at, 2);
  if (at >= 0 && !/^\d{1,9}$/.test(text ?? "")) {
    console.error(`--seed takes a whole number, not "${text ?? ""}"`);
    Deno.exit(1);
  }
  const paths = rest.filter((argument) => !argument.startsWith("-"));
  const drawn = paths.length > 0 ? null : crypto.getRandomValues(new Uint16Array(1))[0]!;
  return {
    all: take("--all"),
    measure: take("--measure"),
    seed: text === undefined ? drawn : Number(text),
    options: rest.filter((argument) => argument.startsWith("-")),
    paths,
  };
}

/** What a run of every file would add; nothing where it ran them all. */
function leftOutOf(found: readonly string[], files: readonly string[]): string | undefined {
  const left = found.filter((file) => !files.includes(file));
  if (left.length === 0) return undefined;
  const minutes = Math.ceil(left.reduce((sum, file) => sum + secondsOf(file), 0) / 60);
  return `deno task test --all runs ${left.length} more files (some ${minutes} minutes of one processor)`;
}

/** Checks types beside the first tests; where they are wrong, no further test begins. Undefined where all are right. */
async function typeErrorsOf(places: readonly string[]): Promise<string | undefined> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", ...places],
    stdin: "null",
  }).output();
  if (success) return undefined;
  waiting.splice(0);
  return new TextDecoder().decode(stderr);
}

/** Takes one batch after the other until none is left; what a crash left over goes to the front. */
async function work(): Promise<void> {
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    const result = await runBatch(batch.files, options);
    totals.add(result, batch.alone);
    waiting.unshift(...leftOver(result, batch));
  }
}

/** The file that a crash hit, by itself and once only, and the files that had not run yet. */
function leftOver(result: BatchResult, batch: Batch): readonly Batch[] {
  if (result.death === undefined) return [];
  const again = batch.alone ? [] : [{ files: [result.death.file], alone: true }];
  const rest = result.death.notRun;
  return rest.length === 0 ? again : [...again, { files: rest, alone: false }];
}

/** `DENO_JOBS`, as for `deno test --parallel`, else one more than there are cores: some tests wait for a while. */
function processCount(): number {
  const jobs = Number(Deno.env.get("DENO_JOBS"));
  return Number.isInteger(jobs) && jobs > 0 ? jobs : navigator.hardwareConcurrency + 1;
}
