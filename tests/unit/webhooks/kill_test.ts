/** Processes that are killed without warning lose no event and deliver none under two ids (contract 3.4, traps). */
import { assert, assertEquals } from "@std/assert";
import { killRuns } from "../../support/kill_runs.ts";
import { redisMissing } from "../../support/redis_server.ts";

const SEED = Number(Deno.env.get("SEED") ?? 1);

for (const queue of ["database", "redis"] as const) {
  Deno.test({
    name:
      `events whose emission was answered are delivered, whenever their process is killed: ${queue} queue`,
    ignore: queue === "redis" && redisMissing() !== null,
    async fn() {
      const figures = await killRuns({ runs: 10, queue, seed: SEED });
      assert(figures.emitted > 0);
      assertEquals(figures.redisKills, queue === "redis" ? 1 : 0);
      assertEquals([figures.lost, figures.underTwoIds], [0, 0]);
    },
  });
}
