/**
 * `deno run -A tools/bench/copy.ts`: compares reads from a copy of a server's database with reads from a file, in alternating
 * rounds. `--seconds` and `--rounds` set the length.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sqld, withSqld } from "../../tests/support/sqld.ts";
import { CASES } from "./cases.ts";
import { type Contender, startContender } from "./contender.ts";
import { copyOf, withWorld, type World } from "./world.ts";
import { load, requireWrk } from "./wrk.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "5" },
  },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const PORT = 18_470;
const READS: readonly string[] = ["single read", "list of 20", "list of 100"];

await requireWrk();
const program = await sqld();
if (program === null) Deno.exit(1);
await withWorld((world) =>
  withSqld(program, async ({ url }) => {
    await using file = await startContender("generated", {
      world,
      database: await copyOf(world, join(world.folder, "file.db")),
      port: PORT,
    });
    await using copy = await startContender("generated", {
      world,
      database: "",
      port: PORT + 1,
      server: url,
      replica: join(world.folder, "copies", "copy.db"),
    });
    for (const name of READS) await compare(world, name, [file, copy]);
  }, { database: world.database })
);

async function compare(
  world: World,
  name: string,
  contenders: readonly Contender[],
): Promise<void> {
  const requests = CASES.find((one) => one.name === name)?.requests ?? [];
  const headers = { authorization: `Bearer ${world.token}` };
  const rates: number[][] = contenders.map(() => []);
  const costs: number[][] = contenders.map(() => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, { origin, cpuSeconds }] of contenders.entries()) {
      const before = await cpuSeconds();
      const { requestsPerSecond, requests: answered, failures } = await load(origin, requests, {
        headers,
        seconds: SECONDS,
        folder: world.folder,
      });
      if (failures > 0) throw new Error(`${failures} requests of "${name}" failed`);
      if (round === 0) continue;
      rates[at]?.push(requestsPerSecond);
      costs[at]?.push((await cpuSeconds() - before) / answered * 1e6);
    }
  }
  const [fileRate = NaN, copyRate = NaN] = rates.map(median);
  const [fileCost = NaN, copyCost = NaN] = costs.map(median);
  console.log(
    `${name}: ${fileRate.toFixed()}/s of a file, ${copyRate.toFixed()}/s of a copy: ` +
      `${(copyRate / fileRate).toFixed(2)}; by processor time, ${fileCost.toFixed()} and ` +
      `${copyCost.toFixed()} µs: ${(fileCost / copyCost).toFixed(2)}`,
  );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
