/** Looks for deleted organizations that overlap while the database comes and goes (definitions 7, "deleting an organization"). */
import { assertEquals, assertRejects } from "@std/assert";
import { purgedOrganizations } from "../../../shared/runtime/operations/delete_organization.ts";
import { createLook } from "../../../shared/runtime/layers/1-authentication/rights_age.ts";
import type { ResultSet } from "../../../shared/runtime/ports.ts";

/** Looks, each of which ends when the test says so. */
function lookedFor() {
  const looks: PromiseWithResolvers<ResultSet>[] = [];
  const run = () => {
    const look = Promise.withResolvers<ResultSet>();
    looks.push(look);
    return look.promise;
  };
  const clock = { now: () => 0 };
  const begun = createLook({ clock }, { rightsMaxAgeMs: 1000 });
  const reader = { run, runAll: () => Promise.reject(new Error("It asks one question")) };
  return { looks, purged: purgedOrganizations({ reader, clock, begun }, () => {}) };
}

const found = (...ids: string[]): ResultSet => ({
  rows: ids.map((id) => [id]),
  columns: ["organization_id"],
  changes: 0,
});

Deno.test("a look that failed is made again, though an earlier one succeeded after it", async () => {
  const { looks, purged } = lookedFor();
  const [earlier, later] = [purged.has("org_a"), purged.has("org_a")];
  looks[1]?.reject(new Error("away"));
  await assertRejects(() => Promise.resolve(later), Error, "away");
  looks[0]?.resolve(found("org_a"));
  assertEquals(await earlier, true);
  const next = purged.has("org_a");
  looks[2]?.resolve(found("org_a"));
  assertEquals([looks.length, await next], [3, true]);
});

Deno.test("of two looks at once the later one counts, whichever ends first", async () => {
  const { looks, purged } = lookedFor();
  const [earlier, later] = [purged.has("org_a"), purged.has("org_a")];
  looks[1]?.resolve(found("org_a"));
  assertEquals(await later, true);
  looks[0]?.resolve(found());
  assertEquals(await earlier, false);
  assertEquals([await purged.has("org_a"), looks.length], [true, 2]);
});
