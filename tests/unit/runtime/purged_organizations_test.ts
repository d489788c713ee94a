/** Looks for deleted organizations that overlap while the database is far away, or comes and goes (definitions 7, 8). */
import { assertEquals, assertRejects } from "@std/assert";
import { purgedOrganizations } from "../../../shared/runtime/operations/delete_organization.ts";
import type { ResultSet } from "../../../shared/runtime/ports.ts";

/** Looks, each of which ends when the test says so. */
function lookedFor(rightsMaxAgeMs = 1000) {
  const looks: PromiseWithResolvers<ResultSet>[] = [];
  const run = () => {
    const look = Promise.withResolvers<ResultSet>();
    looks.push(look);
    return look.promise;
  };
  const time = { now: 0 };
  const clock = { now: () => time.now };
  const reader = { run, runAll: () => Promise.reject(new Error("It asks one question")) };
  const purged = purgedOrganizations({ reader, clock }, { rightsMaxAgeMs }, () => {});
  return { looks, time, has: () => purged.has("org_a") };
}

const NONE: ResultSet = { rows: [], columns: ["organization_id"], changes: 0 };
const GONE: ResultSet = { ...NONE, rows: [["org_a"]] };

Deno.test("callers share a look that is under way, while it is younger than rights may be", async () => {
  const { looks, time, has } = lookedFor();
  const [first, second] = [has(), has()];
  time.now = 999;
  const third = has();
  assertEquals(looks.length, 1);
  looks[0]?.resolve(NONE);
  assertEquals(await Promise.all([first, second, third]), [false, false, false]);
});

Deno.test("a look that ages is made again beside those who ask, and nobody waits for it", async () => {
  const { looks, time, has } = lookedFor();
  const first = has();
  looks[0]?.resolve(NONE);
  await first;
  time.now = 749;
  assertEquals([has(), looks.length], [false, 1]);
  time.now = 750;
  assertEquals([has(), has(), looks.length], [false, false, 2]);
  time.now = 999;
  assertEquals([has(), looks.length], [false, 2]);
  // From here on what is kept is too old, and who asks waits.
  time.now = 1000;
  const late = has();
  assertEquals(looks.length, 2);
  looks[1]?.resolve(GONE);
  assertEquals([await late, await has(), looks.length], [true, true, 2]);
});

Deno.test("a look that failed tells those who wait, and the next caller looks again", async () => {
  const { looks, time, has } = lookedFor();
  const [earlier, same] = [has(), has()];
  looks[0]?.reject(new Error("away"));
  await assertRejects(() => Promise.resolve(earlier), Error, "away");
  await assertRejects(() => Promise.resolve(same), Error, "away");
  const next = has();
  looks[1]?.resolve(NONE);
  assertEquals([looks.length, await next], [2, false]);
  time.now = 800;
  assertEquals(has(), false);
  looks[2]?.reject(new Error("away"));
  await new Promise((resolve) => setImmediate(resolve));
  assertEquals([has(), looks.length], [false, 4]);
});

Deno.test("a purge that one of two looks has seen counts for both, whichever ends first", async () => {
  const { looks, time, has } = lookedFor();
  const earlier = has();
  // The first one hangs: nobody is held to it for longer.
  time.now = 1000;
  const later = has();
  assertEquals(looks.length, 2);
  looks[1]?.resolve(GONE);
  assertEquals(await later, true);
  looks[0]?.resolve(NONE);
  assertEquals([await earlier, await has(), looks.length], [true, true, 2]);
});

Deno.test("where rights have no age each caller looks for itself", async () => {
  const { looks, has } = lookedFor(0);
  const [first, second] = [has(), has()];
  looks[0]?.resolve(NONE);
  assertEquals(await first, false);
  looks[1]?.resolve(GONE);
  assertEquals([await second, looks.length], [true, 2]);
});
