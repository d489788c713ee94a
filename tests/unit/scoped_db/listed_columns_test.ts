/** Rows that a handler names by a list of keys are looked up by these, however many rows its tenant has. */
import { assert, assertEquals } from "@std/assert";
import { and, eq, inArray, ne } from "drizzle-orm";
import { tokensOf } from "../../../shared/lib/sql_tokens.ts";
import { listedColumns } from "../../../shared/runtime/data/scoped_db/listed_columns.ts";
import type { Statement } from "../../../shared/runtime/ports.ts";
import { DRIVERS } from "../../support/databases.ts";
import { recorded } from "../../support/recorded.ts";
import { fillDesk, type Handler, runAction } from "./action.ts";
import { tickets } from "./desk.ts";

const LISTED: readonly (readonly [sql: string, ...listed: string[]])[] = [
  [`select * from "items" where "items"."id" in (?, ?)`, "items.id"],
  [`select * from "items" where ("items"."id" in (?, ?) and "items"."rank" > ?)`, "items.id"],
  [
    `select * from items where items.rank > 1 and items.Id IN (1) and items.deleted_at is not null`,
    "items.id",
  ],
  [`select * from items where items.id in (?) order by items.rank limit 2`, "items.id"],
  [
    `select * from items join owners on items.owner_id = owners.id where items.owner_id in (?)`,
    "items.owner_id",
  ],
  [`update "items" set "rank" = ? where "items"."id" in (?, ?)`, "items.id"],
  [
    `delete from items where items.id in (?, ?) and items.owner_id in (?) returning items.id`,
    "items.id",
    "items.owner_id",
  ],
  // Rows beside the listed ones may be meant.
  [`select * from items where items.id in (?) or items.rank = 1`],
  [`select * from items where not (items.id in (?, ?))`],
  [`select * from items where items.id not in (?, ?)`],
  [`select * from items where (items.id in (?, ?)) = 0`],
  [`select * from items where 0 = items.id in (?, ?)`],
  [`select * from items where case when items.id in (?) then 1 else 1 end`],
  [`select items.id in (?, ?) from items`],
  [`select * from items where items.rank > 1 order by items.id in (?, ?)`],
  [`select count(*) filter (where items.id in (?)) from items`],
  // The table is read somewhere else, too.
  [`select * from items as other join items on other.rank = items.rank where items.id in (?)`],
  [`select * from items where items.rank in (select rank from items where items.id in (?))`],
  // No table is named.
  [`select * from items where id in (?, ?)`],
];

for (const [sql, ...listed] of LISTED) {
  Deno.test(`${listed.join(", ") || "nothing"} is listed by ${sql}`, () => {
    assertEquals([...listedColumns(tokensOf(sql))], listed);
  });
}

const IDS = Array.from({ length: 8 }, (_, at) => `tic_${at}`);

/** Each with the index that finds its rows. */
const HANDLERS: Readonly<Record<string, readonly [RegExp, (handler: Handler) => unknown]>> = {
  "a list of ids": [
    /SEARCH \S+ USING INDEX sqlite_autoindex_tickets_1 \(id=\?\)/,
    ({ db }) => db.select().from(tickets).where(inArray(tickets.id, IDS)),
  ],
  "a list of ids and another condition": [
    /SEARCH \S+ USING INDEX sqlite_autoindex_tickets_1 \(id=\?\)/,
    ({ db }) =>
      db.select().from(tickets).where(
        and(ne(tickets.subject, "X"), inArray(tickets.id, IDS)),
      ),
  ],
  "an update of a list of ids": [
    /SEARCH \S+ USING INDEX sqlite_autoindex_tickets_1 \(id=\?\)/,
    ({ db }) => db.update(tickets).set({ subject: "X" }).where(inArray(tickets.id, IDS)),
  ],
  "a list of parents": [
    /SEARCH \S+ USING INDEX tickets_customer \(customer_id=\?\)/,
    ({ db }) => db.select().from(tickets).where(inArray(tickets.customerId, IDS)),
  ],
  "all of the tenant": [
    /SEARCH \S+ USING INDEX tickets_listing \(organization_id=\?/,
    ({ db }) => db.select().from(tickets).where(eq(tickets.subject, "X")),
  ],
};

const INDEXES: readonly Statement[] = [
  "CREATE INDEX tickets_listing ON tickets (organization_id, deleted_at, created_at, id)",
  "CREATE INDEX tickets_customer ON tickets (customer_id, organization_id, deleted_at)",
].map((sql) => ({ sql, args: [] }));

const [driver] = DRIVERS;
for (const [name, [index, handle]] of Object.entries(HANDLERS)) {
  Deno.test(`${name} is found by its index`, () =>
    driver?.with(async (database) => {
      await fillDesk(database);
      await database.migrate(INDEXES);
      const statements: Statement[] = [];
      const { error } = await runAction(recorded(database, statements), handle);
      assertEquals(error, null);
      const asked = statements.filter(({ sql }) => /^WITH|^UPDATE/.test(sql));
      assert(asked.length > 0);
      for (const { sql, args } of asked) {
        const { rows } = await database.run({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
        const plan = rows.map((row) => String(row[3])).join("\n");
        assert(index.test(plan), `${sql}\n${plan}`);
      }
    }));
}
