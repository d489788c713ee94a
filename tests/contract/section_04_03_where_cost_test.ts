/** Contract 4.3: what a `where` over relations costs grows with the rows of its tables, not with their product. */
import { assert, assertEquals } from "@std/assert";
import type { Database, Statement } from "../../shared/runtime/mod.ts";
import { withDefinitions } from "../support/api.ts";
import {
  ANN,
  fastest,
  insertRelated,
  RELATED,
  RELATED_FILES,
  UNINDEXED,
  UNJOINED,
} from "../support/related_world.ts";

Deno.test("no list that a where makes depends on the row that is asked about", async () => {
  const read: Statement[] = [];
  const recorded = (database: Database): Database => ({
    ...database,
    run: (statement) => (read.push(statement), database.run(statement)),
    runAll: (statements) => (read.push(...statements), database.runAll(statements)),
  });
  await withDefinitions(RELATED_FILES, async (api) => {
    for (const [name, where] of Object.entries({ ...RELATED, UNJOINED })) {
      read.length = 0;
      const query = new URLSearchParams({ where: JSON.stringify(where), total: "true" });
      assertEquals((await api.ask(`tickets?${query}`, { as: ANN })).status, 200);
      const asked = read.filter(({ sql }) => sql.includes(" IN (SELECT "));
      assertEquals(asked.length, 2, name);
      for (const { sql, args } of asked) {
        const { rows } = await api.database.run({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
        const plan = rows.map((row) => String(row.at(-1)));
        assert(plan.some((step) => step.startsWith("LIST SUBQUERY")), `${plan}`);
        assertEquals(plan.filter((step) => /CORRELATED|SCAN w\d/.test(step)), [], name);
      }
    }
  }, { wrap: recorded });
});

Deno.test("the dearest where takes at most 20 times a filter without an index", () =>
  withDefinitions(RELATED_FILES, async (api) => {
    await insertRelated(api);
    const filter = await fastest(api, UNINDEXED);
    for (const [name, where] of Object.entries(RELATED)) {
      const time = await fastest(api, where);
      assert(time < 20 * filter, `${name}: ${time} ms, the filter ${filter} ms`);
    }
  }));
