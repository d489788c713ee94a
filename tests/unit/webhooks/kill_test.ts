/** Processes that are killed without warning lose no event and deliver none under two ids (contract 3.4, traps 14). */
import { assert, assertEquals } from "@std/assert";
import { killRuns } from "../../support/kill_runs.ts";
import { redisMissing } from "../../support/redis_server.ts";

const SEED = Number(Deno.env.get("SEED") ?? 1);

const RUNS = [
  { direction: "outbound", what: "events whose emission was answered are delivered" },
  { direction: "inbound", what: "events that were taken in are handled" },
  { direction: "jobs", what: "jobs that were queued run, once" },
] as const;

Deno.test("jobs of an organization with a database of its own run, once, whenever their process is killed", async () => {
  const grounds = { runs: 6, redis: false, direction: "jobs", seed: SEED } as const;
  const figures = await killRuns({ ...grounds, tenancy: "perOrganization" });
  assert(figures.emitted > 0);
  assertEquals([figures.lost, figures.underTwoIds], [0, 0]);
});

for (const { direction, what } of RUNS) {
  for (const redis of [false, true]) {
    Deno.test({
      name: `${what}, whenever their process is killed${redis ? ", and Redis with it" : ""}`,
      ignore: redis && redisMissing() !== null,
      async fn() {
        const runs = direction === "outbound" ? 10 : 6;
        const figures = await killRuns({ runs, redis, direction, seed: SEED });
        assert(figures.emitted > 0);
        assertEquals(figures.redisKills, redis && runs === 10 ? 1 : 0);
        assertEquals([figures.lost, figures.underTwoIds], [0, 0]);
      },
    });
  }
}
