/**
 * `deno run -A tools/bench/relations.ts`: measures lists of 20,000 tickets of 50 customers by `where` over relations, in this
 * process without network, beside a plain list and a filter without an index, and the same behind rules that follow relations.
 * None at the bound of `where` must exceed 20 times that filter (docs/decisions/reads.md). `--only` selects by a part of a name.
 */
import { parseArgs } from "node:util";
import { withDefinitions } from "../../tests/support/api.ts";
import {
  fastest,
  insertRelated,
  RELATED,
  RELATED_FILES,
  RULED,
  RULED_FILES,
  UNINDEXED,
  UNJOINED,
} from "../../tests/support/related_world.ts";

const ALLOWED = 20;

const { values: { only = "" } } = parseArgs({ options: { only: { type: "string" } } });

await withDefinitions(RELATED_FILES, async (api) => {
  await insertRelated(api);
  const plain = await fastest(api, null);
  const filter = await fastest(api, UNINDEXED);
  const print = (name: string, time: number) => {
    const figures = [time.toFixed(1), (time / plain).toFixed(1), (time / filter).toFixed(1)];
    console.log(name.padEnd(48) + figures.map((figure) => figure.padStart(12)).join(""));
  };
  console.log("".padEnd(48) + ["ms", "× list", "× filter"].map((one) => one.padStart(12)).join(""));
  print("a plain list", plain);
  print("a filter without an index", filter);
  const dear: string[] = [];
  for (const [name, where] of Object.entries(RELATED)) {
    if (!name.includes(only)) continue;
    const time = await fastest(api, where);
    print(name, time);
    if (time > ALLOWED * filter) dear.push(name);
  }
  await withDefinitions(RULED_FILES, async (ruled) => {
    await insertRelated(ruled);
    for (const [name, where] of Object.entries(RULED)) {
      if (!name.includes(only)) continue;
      const time = await fastest(ruled, where);
      print(name, time);
      if (time > ALLOWED * filter) dear.push(name);
    }
  });
  const unjoined = "16 branches, each beside another condition (no bound)";
  if (unjoined.includes(only)) print(unjoined, await fastest(api, UNJOINED));
  if (dear.length > 0) throw new Error(`More than ${ALLOWED} × the filter: ${dear.join("; ")}`);
});
