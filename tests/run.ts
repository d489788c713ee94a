/**
 * `deno task test [files or folders] [options of deno test]`: runs the tests, some files to a process.
 *
 * Deno's own `--parallel` runs files as threads of one process, and a crash of the engine in one of them ends the
 * run without a word about the rest. Here a crash ends one process: the file that it was running is named, and runs
 * once more by itself; what had not run yet runs in another process.
 */
import { type Batch, batchesOf, testFilesIn } from "./support/runner/batches.ts";
import { type BatchResult, runBatch } from "./support/runner/run_batch.ts";
import { Totals } from "./support/runner/totals.ts";

const options = Deno.args.filter((argument) => argument.startsWith("-"));
const paths = Deno.args.filter((argument) => !argument.startsWith("-"));
const started = performance.now();

const files = await testFilesIn(paths.length === 0 ? ["tests"] : paths).catch((error: unknown) => {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
  console.error(error.message);
  Deno.exit(1);
});
if (files.length === 0) {
  console.error(`No file ends in "_test.ts" below ${paths.join(", ")}`);
  Deno.exit(1);
}
const totals = new Totals();
const waiting = batchesOf(files);
// Deno keeps the answer to one and the same question: `deno task check` asks it too.
const checked = typeErrorsOf(paths.length === 0 ? ["."] : files);
await Promise.all([checked, ...Array.from({ length: processCount() }, work)]);
totals.print((performance.now() - started) / 1000, await checked);
Deno.exit(await checked === undefined && totals.failed === 0 ? 0 : 1);

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
