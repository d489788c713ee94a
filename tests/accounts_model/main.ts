/**
 * `deno task walks [--walks N] [--seed N] [--about <subject>]`: people do account acts in any order over a served API, and what must hold is judged
 * after each walk. Ends with 1 and prints the shortest walk that broke it.
 */
import { parseArgs } from "node:util";
import { SUBJECTS } from "./acts/act.ts";
import { withWalkedApi } from "./walked_api.ts";
import { withWalkedOutput } from "./walked_output.ts";
import { reportOf, walk } from "./walk.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    walks: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    about: { type: "string", multiple: true },
    counts: { type: "boolean", default: false },
  },
});
const [count, seed] = [Number(values.walks), Number(values.seed)];
const only = values.about && SUBJECTS.filter((subject) => values.about?.includes(subject));
const walked = await withWalkedOutput(
  { name: "walks" },
  (output) => withWalkedApi(output, (api) => walk(api, { count, seed, ...(only ? { only } : {}) })),
);
console.log(reportOf(walked, seed));
if (values.counts) {
  for (const [name, times] of [...walked.done].sort()) console.log(`${times} ${name}`);
}
Deno.exit(walked.broken === null ? 0 : 1);
