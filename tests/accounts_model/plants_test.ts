/** Walks find planted faults: each is open in turn in the output's own copy of the runtime (docs/security.md). */
import { assertMatch } from "@std/assert";
import { PLANTED_PATCHES, type PlantedFault, PLANTS, SWITCH } from "./plants.ts";
import { withWalkedApi } from "./walked_api.ts";
import { type WalkedOutput, withWalkedOutput } from "./walked_output.ts";
import { walk } from "./walk.ts";

const SEED = 33;

Deno.test("walks find every planted fault of accounts", async (t) => {
  const planted = { name: "planted-walks", patches: PLANTED_PATCHES };
  await withWalkedOutput(planted, async (output) => {
    for (const fault of PLANTS) {
      await t.step(fault.name, async () => {
        Deno.env.set(SWITCH, fault.name);
        try {
          await find(output, fault);
        } finally {
          Deno.env.delete(SWITCH);
        }
      });
    }
  });
});

async function find(output: WalkedOutput, { name, about, says, walks }: PlantedFault) {
  const wanted = { count: walks, seed: SEED, only: about, isShortened: false };
  const { broken, count } = await withWalkedApi(output, (api) => walk(api, wanted));
  assertMatch(broken?.message ?? `${count} walks found nothing`, says);
  console.log(`${name}: found by walk ${count}`);
}
