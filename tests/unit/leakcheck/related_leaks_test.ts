/** What rules over relations keep from a caller comes out by a planted fault, and leakcheck tells where (docs/proof.md). */
import { assert, assertEquals } from "@std/assert";
import { withTwins } from "../../../cli/commands/leakcheck/check_output.ts";
import { leakcheck } from "../../../proof/leakcheck/leakcheck.ts";
import type { Channel } from "../../../proof/questions/question.ts";
import { KEPT_FIELD } from "../../support/kept_field_project.ts";
import { compiledFiles, patched, withOutput } from "../../support/leaky_project.ts";
import { FAULTS, patchesOf, SWITCH } from "../../support/planted_relations.ts";

/** Names of planted faults, and the channels by which each must be seen. */
const LEAKS: readonly (readonly [fault: string, channels: readonly Channel[]])[] = [
  ["the conditions on the related row are not asked", ["list", "filter", "search", "aggregate"]],
  ["another tenant's parent counts", ["list"]],
  ["roles of an item of anyOf are ignored", ["list"]],
  ["a mask is lifted on every row", ["list"]],
  ["a frame is not judged by relations", ["realtime"]],
  ["a frame shows past its mask", ["realtime"]],
];

Deno.test("what relations keep from a caller is missed where it comes out", async (t) => {
  const planted = FAULTS.filter(({ name }) => LEAKS.some(([fault]) => fault === name));
  assertEquals(planted.length, LEAKS.length);
  const output = patched(compiledFiles(KEPT_FIELD), patchesOf(planted));
  await withOutput("related-leaks", output, (folder) =>
    withTwins(folder, async (model, host) => {
      for (const [fault, channels] of LEAKS) {
        for (const channel of channels) {
          await t.step(`${fault}: ${channel}`, async () => {
            Deno.env.set(SWITCH, fault);
            try {
              const { differences } = await leakcheck(model, host, {
                only: ["role:technician"],
                channels: [channel],
                isEnough: (one) => one.channel === channel,
              });
              const found = differences.map((one) => `${one.channel} ${one.place} ${one.column}`);
              assert(differences.some((one) => one.channel === channel), found.slice(0, 9).join());
            } finally {
              Deno.env.delete(SWITCH);
            }
          });
        }
      }
    }));
});
