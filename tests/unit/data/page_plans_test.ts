/** What a page costs does not depend on where it is: SQLite seeks to it in an index and sorts nothing (architecture, Speed). */
import { assert, assertEquals } from "@std/assert";
import { type ApiUnderTest, isRecord, withDefinitions } from "../../support/api.ts";
import { FIELD, fillField, TOM } from "../../support/field_project.ts";
import { insertRows } from "../../support/insert_rows.ts";
import { recorded } from "../../support/recorded.ts";
import type { Statement } from "../../../shared/runtime/ports.ts";

const FILES = {
  "quickback/quickback.config.ts": 'export default { name: "plans" };\n',
  "quickback/features/owners/owners.ts": `import { feature, q } from "quickback";
export default feature("owners", {
  columns: { id: q.id(), organizationId: q.scope("organization"), name: q.text().required() },
  read: { access: { roles: ["member"] }, include: ["items.ownedById"] },
});
`,
  "quickback/features/items/items.ts": `import { feature, q } from "quickback";
import owners from "../owners/owners.ts";
export default feature("items", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    ownedById: q.text().references(() => owners.id),
    dueAt: q.timestamp(),
    rank: q.int().required(),
  },
  guards: { createable: ["ownedById", "rank"], updatable: ["rank"] },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] } },
  read: {
    access: { roles: ["member"] },
    include: ["ownedById"],
    views: {
      due: { fields: ["id", "dueAt", "rank"], query: { sortable: ["dueAt", "rank"] }, defaultSort: "-dueAt" },
    },
  },
});
`,
};

const as = { sub: "u1", orgId: "org_1", roles: ["member"] };
const AT = "2026-01-01T00:00:00.000Z";

const QUESTIONS: readonly (readonly [path: string, why: string])[] = [
  ["items", "the default sort"],
  ["items?order=asc", "the default sort, turned"],
  ["items/views/due", "a nullable sort, descending"],
  ["items/views/due?sort=dueAt", "a nullable sort, ascending"],
  ["items/views/due?sort=-rank", "a required sort"],
];

for (const [path, why] of QUESTIONS) {
  for (const parameter of ["starting_after", "ending_before"] as const) {
    Deno.test(`${parameter} with ${why} seeks in an index and sorts nothing`, () =>
      withItems(async (api, statements) => {
        const place = path.includes("?") ? `${path}&` : `${path}?`;
        const middle = await api.ask(`${place}limit=2&offset=10`, { as });
        assert(isRecord(middle.body["pagination"]));
        const cursor = middle.body["pagination"]["nextCursor"];
        statements.length = 0;
        const { status } = await api.ask(`${place}limit=2&${parameter}=${cursor}`, { as });
        assertEquals(status, 200);
        const plan = await planOf(api, statements[0]);
        const searches = plan.filter((line) =>
          line.startsWith("SEARCH items") || line.includes("SEARCH t ")
        );
        assert(searches.length > 0, plan.join("\n"));
        for (const search of searches) {
          assert(/USING INDEX items_organization_id_deleted_at_\w+_id_idx/.test(search), search);
        }
        const sorts = plan.filter((line) => line.includes("TEMP B-TREE"));
        assertEquals(sorts, [], plan.join("\n"));
      }));
  }
}

Deno.test("embedded targets are looked up by key, however many the tenant has", () =>
  withItems(async (api, statements) => {
    await api.ask("items?limit=2&include=ownedById", { as });
    assertEquals(statements.length, 2);
    const plan = await planOf(api, statements[1]);
    assert(
      plan.some((line) => /SEARCH t USING INDEX sqlite_autoindex_owners_1 \(id=\?\)/.test(line)),
    );
  }));

const BY_OWNER =
  /SEARCH t USING INDEX items_owned_by_id_organization_id_deleted_at_created_at_id_idx/;

for (
  const [path, at, why] of [
    ["items?ownedById=o1", 0, "a list of one parent's rows"],
    ["owners?include=items", 1, "the children of each record"],
  ] as const
) {
  Deno.test(`${why} seek by their parent and sort nothing, however many the tenant has`, () =>
    withItems(async (api, statements) => {
      assertEquals((await api.ask(path, { as })).status, 200);
      const plan = await planOf(api, statements[at]);
      assert(plan.some((line) => BY_OWNER.test(line)), plan.join("\n"));
      assertEquals(plan.filter((line) => line.includes("TEMP B-TREE")), [], plan.join("\n"));
    }));
}

Deno.test("a condition on children is one list, which an index leads to, and sorts nothing", () =>
  withItems(async (api, statements) => {
    const path = 'owners?where={"items":{"some":{"rank":1}}}';
    assertEquals((await api.ask(path, { as })).status, 200);
    const plan = await planOf(api, statements[0]);
    assert(plan.some((line) => line.startsWith("SEARCH w0 USING INDEX items_")), plan.join("\n"));
    assertEquals(plan.filter((line) => /CORRELATED|TEMP B-TREE/.test(line)), [], plan.join("\n"));
  }));

Deno.test("a rule that follows a relation is one list for a page, and a look-up for one row", () => {
  const statements: Statement[] = [];
  return withDefinitions(FIELD, async (api) => {
    await fillField(api);
    const correlated = async (path: string) => {
      statements.length = 0;
      assertEquals((await api.ask(path, { as: TOM })).status, 200);
      const plan = await planOf(api, statements.find(({ sql }) => sql.includes("qb_r0")));
      return plan.some((line) => line.startsWith("CORRELATED"));
    };
    assertEquals([await correlated("items"), await correlated("items/item_toms")], [false, true]);
  }, { wrap: (database) => recorded(database, statements) });
});

Deno.test("rows of some parents are looked up by these, however many the tenant has", () =>
  withItems(async (api, statements) => {
    assertEquals((await api.ask("items?ownedById.in=o1,o2", { as })).status, 200);
    const plan = await planOf(api, statements[0]);
    assert(plan.some((line) => BY_OWNER.test(line)), plan.join("\n"));
  }));

const NAMED = /SEARCH t USING (COVERING )?INDEX sqlite_autoindex_(items|owners)_1 \(id=\?\)/;

const KEYS = { ids: ["i1", "i2"] };
for (
  const [method, path, body, why] of [
    ["GET", "items?id.in=i1,i2", undefined, "a list of named rows"],
    [
      "GET",
      `items?where=${encodeURIComponent('{"rank":{"lessThan":9},"id":{"in":["i1","i2"]}}')}`,
      undefined,
      "a condition that names rows",
    ],
    [
      "GET",
      `items?where=${encodeURIComponent('{"and":[{"id":{"in":["i1","i2"]}}]}')}`,
      undefined,
      "one of conditions that names rows",
    ],
    ["POST", "items", { rank: 1, ownedById: "o1" }, "the row that a foreign key names"],
    [
      "PATCH",
      "items/batch",
      { records: KEYS.ids.map((id) => ({ id, rank: 2 })) },
      "a batch of updates",
    ],
    ["DELETE", "items/batch", KEYS, "a batch of deletions"],
  ] as const
) {
  Deno.test(`${why} is looked up by key, however many the tenant has`, () =>
    withItems(async (api, statements) => {
      const { status, text } = await api.ask(path, { as, method, ...(body ? { body } : {}) });
      assert(status < 300, text);
      const named = statements.filter(({ sql }) => /`id` IN \(/.test(sql));
      assert(named.length > 0);
      for (const statement of named) {
        const plan = await planOf(api, statement);
        assert(plan.some((line) => NAMED.test(line)), [statement.sql, ...plan].join("\n"));
      }
    }));
}

async function withItems(
  body: (api: ApiUnderTest, statements: Statement[]) => Promise<void>,
): Promise<void> {
  const statements: Statement[] = [];
  await withDefinitions(FILES, async (api) => {
    const items = Array.from({ length: 40 }, (_, at) => ({
      id: `i${at}`,
      organizationId: "org_1",
      rank: at % 3,
      dueAt: at % 4 === 0 ? null : AT,
      createdAt: AT,
      modifiedAt: AT,
    }));
    const owners = [{
      id: "o1",
      organizationId: "org_1",
      name: "Ann",
      createdAt: AT,
      modifiedAt: AT,
    }];
    await insertRows(api.database, api.project, { owners, items });
    // The first bearer token has the deleted organizations read.
    await api.ask("items?limit=1", { as });
    // Each table's size is looked at once a minute.
    for (const path of ["items?rank=1", "owners?name=Ann"]) await api.ask(path, { as });
    statements.length = 0;
    await body(api, statements);
  }, {
    wrap: (database) => recorded(database, statements),
  });
}

/** In the order in which SQLite takes its steps. */
async function planOf(
  { database }: ApiUnderTest,
  statement: Statement | undefined,
): Promise<readonly string[]> {
  assert(statement);
  const { sql, args } = statement;
  const { rows } = await database.run({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  return rows.map((row) => String(row[3]));
}
