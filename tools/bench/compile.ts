/**
 * Measures compiles of projects with 10, 100 and 500 resources, each in a process of its own, in processor time, which a busy
 * machine changes least. Run it by `deno run -A tools/bench/compile.ts [count…]`.
 */
import { cpuUsage } from "node:process";
import { fileURLToPath } from "node:url";
import { bundleChecks } from "../../container/bundle/bundle_check.ts";
import { readCompileHost } from "../../container/host.ts";
import {
  compile,
  type CompileRequest,
  type RawFiles,
  SyntaxTrees,
  validate,
  VERSION,
} from "../../shared/compiler/mod.ts";
import { manyResources } from "../../tests/support/many_resources.ts";

const COUNTS = ["10", "100", "500"];
/** Measured rounds, and rounds before them. A container is as warm after some ten seconds of work. */
const WARM_ROUNDS = 5;
const WARM_UP_ROUNDS = 15;
const EDITED = "quickback/features/item0/item0.ts";

const [first, count] = Deno.args;
if (first === "--row") await printRow(Number(count));
else printTable(Deno.args.length === 0 ? COUNTS : Deno.args);

/** Prints a row for each project, measured in a process of its own. */
function printTable(counts: readonly string[]): void {
  console.log(
    "| resources | validate, first | warm | compile, first | warm | one file edited | with bundle check | output | `openapi.json` | memory |",
  );
  console.log("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
  for (const one of counts) {
    const { success } = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", fileURLToPath(import.meta.url), "--row", one],
      stdout: "inherit",
      stderr: "inherit",
    }).outputSync();
    if (!success) throw new Error(`The project of ${one} resources could not be measured`);
  }
}

async function printRow(count: number): Promise<void> {
  const files = manyResources(count);
  const host = readCompileHost({ version: VERSION });
  const request: CompileRequest = { trees: new SyntaxTrees() };
  const compiled = (input: RawFiles) => {
    const result = compile(input, host, request);
    if (!result.ok) throw new Error(JSON.stringify(result.errors));
    return result;
  };
  const validated = () => {
    if (!validate(files, undefined, request).ok) throw new Error("The project has a mistake");
  };
  const validation = { first: await spent(validated), warm: await warm(validated) };
  const whole = {
    first: await spent(() => compiled(files)),
    warm: await warm(() => compiled(files)),
  };
  let edit = 0;
  const edited = await warm(() => compiled(withEdit(files, edit++)));
  const check = bundleChecks(host);
  const bundled = await warm(async () => void await check(compiled(withEdit(files, edit++))));
  const output = compiled(files).files.map(({ path, content }) => ({ path, size: content.length }));
  const description = output.find(({ path }) => path === "openapi.json")?.size ?? 0;
  console.log(
    `| ${
      [
        count,
        ...[validation.first, validation.warm, whole.first, whole.warm, edited, bundled].map(
          millis,
        ),
        megabytes(output.reduce((sum, { size }) => sum + size, 0)),
        megabytes(description),
        megabytes(Deno.memoryUsage().rss),
      ].join(" | ")
    } |`,
  );
}

/** Edits the project, so that no two texts are equal. */
function withEdit(files: RawFiles, edit: number): RawFiles {
  return { ...files, [EDITED]: `${files[EDITED]}// ${edit}\n` };
}

/** Returns the processor milliseconds of this process. */
async function spent(run: () => unknown): Promise<number> {
  const since = cpuUsage();
  await run();
  const { user, system } = cpuUsage(since);
  return (user + system) / 1000;
}

/** Returns the median after warming up. */
async function warm(run: () => unknown): Promise<number> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await run();
  const times: number[] = [];
  for (let round = 0; round < WARM_ROUNDS; round += 1) times.push(await spent(run));
  return times.toSorted((a, b) => a - b)[Math.floor(WARM_ROUNDS / 2)] ?? NaN;
}

function millis(time: number): string {
  return `${time.toFixed(0)} ms`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
