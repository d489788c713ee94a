/**
 * `deno run -A tools/bench/relations.ts`: lists of 20,000 tickets of 50 customers by `where` over relations, in this process, without
 * HTTP's network. All but the last row are held to 20 times a filter without an index (docs/decisions/reads.md).
 */
import { withDefinitions } from "../../tests/support/api.ts";
import {
  fastest,
  insertRelated,
  RELATED,
  RELATED_FILES,
  UNINDEXED,
  UNJOINED,
} from "../../tests/support/related_world.ts";

const ALLOWED = 20;

await withDefinitions(RELATED_FILES, async (api) => {
  await insertRelated(api);
  const filter = await fastest(api, UNINDEXED);
  const print = (name: string, time: number) => {
    const ratio = time / filter;
    console.log(`${name.padEnd(48)}${time.toFixed(1).padStart(8)} ms ${ratio.toFixed(1)} ×`);
    return ratio;
  };
  print("a filter without an index", filter);
  const ratios: number[] = [];
  for (const [name, where] of Object.entries(RELATED)) {
    ratios.push(print(name, await fastest(api, where)));
  }
  print("16 branches, each beside another condition", await fastest(api, UNJOINED));
  if (Math.max(...ratios) > ALLOWED) throw new Error(`More than ${ALLOWED} × the filter`);
});
