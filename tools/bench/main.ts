/**
 * `deno task bench`: compares the generated API with a hand-written one and with the limit of the platform, under load from
 * `wrk`. It writes the figures into `docs/performance.md` and a plot beside it. `--only <part of a name>` measures and prints
 * those cases only. `--seconds`, `--rounds` and `--soak` set the length.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { printBundleCheck } from "./bundle_check.ts";
import { CASES } from "./cases.ts";
import {
  compareCredentials,
  compareDepths,
  compareProcesses,
  type PartShare,
  shareOfParts,
  soak,
} from "./extras.ts";
import { measureCases } from "./measure_cases.ts";
import { casesTables, extrasTables, plotOf, withTables } from "./report.ts";
import { withWorld, type World } from "./world.ts";
import { requireWrk } from "./wrk.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "1" },
    rounds: { type: "string", default: "5" },
    soak: { type: "string", default: "200000" },
  },
});
const rounds = { seconds: Number(values.seconds), rounds: Number(values.rounds) };

await requireWrk();
await withWorld(async (world) => {
  const cases = CASES.filter(({ name }) => values.only === undefined || name.includes(values.only));
  const measured = await measureCases(world, { cases, ...rounds });
  const tables = [casesTables(measured)];
  if (values.only === undefined) tables.push(extrasTables(await measureExtras(world)));
  console.log(tables.join("\n\n"));
  if (values.only !== undefined) return;
  const page = fileURLToPath(new URL("../../docs/performance.md", import.meta.url));
  await Deno.writeTextFile(
    page,
    withTables(await Deno.readTextFile(page), tables.join("\n\n")),
  );
  const plot = page.replace(/\.md$/, ".svg");
  await Deno.writeTextFile(plot, plotOf(measured));
  const args = ["fmt", "--quiet", page, plot];
  const { success } = await new Deno.Command(Deno.execPath(), { args }).output();
  if (!success) throw new Error(`Cannot format ${page} and ${plot}`);
});
if (values.only === undefined) await printBundleCheck();

async function measureExtras(world: World) {
  const parts: [string, readonly PartShare[]][] = [];
  for (const name of ["single read", "list of 20", "create"]) {
    parts.push([name, await shareOfParts(world, name)]);
  }
  return {
    parts,
    credentials: await compareCredentials(world, rounds),
    depths: await compareDepths(world, rounds),
    processes: await compareProcesses(world, rounds),
    memory: await soak(world, Number(values.soak)),
  };
}
