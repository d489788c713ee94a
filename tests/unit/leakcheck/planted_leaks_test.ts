/** A leak in any channel is found: each is planted in the output's own copy of the runtime, or in its author's code (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { withTwins } from "../../../cli/commands/leakcheck/check_output.ts";
import { CHANNELS } from "../../../proof/questions/question.ts";
import type { Difference } from "../../../proof/leakcheck/difference.ts";
import { leakcheck } from "../../../proof/leakcheck/leakcheck.ts";
import { LEAKS, type PlantedLeak, SWITCH } from "../../support/planted_leaks.ts";
import { compiledFiles, leakyProject, patched, withOutput } from "../../support/leaky_project.ts";

/** Sees masks alone, and may do nearly everything. */
const CALLER = "role:admin";

function isOf({ channel, told }: PlantedLeak, difference: Difference): boolean {
  return difference.channel === channel && told.test(`${difference.place} ${difference.column}`);
}

/** One output with every leak in it, of which the environment opens one at a time. */
const planted = patched(compiledFiles(leakyProject()), LEAKS.flatMap(({ patches }) => patches));

Deno.test("a leak in any channel is found, and none where none is open", async (t) => {
  await withOutput("planted-leaks", planted, (folder) =>
    withTwins(folder, async (model, host) => {
      for (const leak of LEAKS) {
        await t.step(leak.name, async () => {
          const isEnough = (difference: Difference) => isOf(leak, difference);
          const channels = [leak.channel];
          Deno.env.set(SWITCH, leak.name);
          const { differences } = await leakcheck(model, host, {
            only: [CALLER],
            channels,
            isEnough,
          });
          const found = differences.map(({ channel, place, column }) => [channel, place, column]);
          assert(differences.some(isEnough), JSON.stringify(found.slice(0, 10)));
        });
      }
      await t.step("none is open", async () => {
        Deno.env.delete(SWITCH);
        const { differences, compared } = await leakcheck(model, host, { only: [CALLER] });
        assertEquals(differences, []);
        // Whatever an API has is looked at: the clients of this one make no ids.
        const without = ["upsert"];
        assertEquals(
          CHANNELS.filter((channel) => !without.includes(channel) && !compared[channel]),
          [],
        );
      });
    }));
});
