/** better-auth's storage contract over our database: conditions, counters, single use, and names that are never SQL. */
import { assertEquals, assertRejects } from "@std/assert";
import type { Where } from "better-auth/adapters";
import { organization } from "better-auth/plugins/organization";
import { AUTH_TABLES } from "../../../shared/model/auth_tables.ts";
import { eventScene } from "../../../shared/accounts/credentials/event_scene.ts";
import { libraryWrites } from "../../../shared/accounts/credentials/library_writes.ts";
import { sqlAdapter } from "../../../shared/accounts/sql_adapter.ts";
import { createAuthTables } from "../../support/accounts.ts";
import { withDatabase } from "../../support/databases.ts";
import { project } from "../../support/sample_project.ts";

type Adapter = ReturnType<ReturnType<typeof sqlAdapter>>;

const DAY = new Date("2030-01-01T00:00:00.000Z");

function withAdapter(body: (adapter: Adapter) => Promise<void>): Promise<void> {
  return withDatabase(async (database) => {
    await createAuthTables(database);
    await body(
      sqlAdapter(database, {
        tables: AUTH_TABLES,
        roleOf: ({ role }) => typeof role === "string" ? role : null,
        writes: libraryWrites({
          scene: eventScene({ project }),
          call: () => null,
          onTakenOver: () => {},
        }),
      })({
        plugins: [organization()],
      }),
    );
  });
}

const user = (name: string, more: Record<string, unknown> = {}) => ({
  model: "user",
  data: {
    id: name,
    name,
    email: `${name.toLowerCase()}@example.com`,
    emailVerified: false,
    createdAt: DAY,
    updatedAt: DAY,
    ...more,
  },
  forceAllowId: true,
});

async function withUsers(body: (adapter: Adapter) => Promise<void>): Promise<void> {
  await withAdapter(async (adapter) => {
    await adapter.create(user("Anna", { image: "a_b%c", emailVerified: true }));
    await adapter.create(user("Ben", { image: null }));
    await adapter.create(user("Carl", { image: "x", createdAt: new Date("2031-01-01") }));
    await body(adapter);
  });
}

const TABLE: readonly (readonly [name: string, where: readonly Where[], expected: string])[] = [
  ["nothing", [], "Anna Ben Carl"],
  ["equal", [{ field: "name", value: "Ben" }], "Ben"],
  ["equal in another case", [{ field: "name", value: "BEN" }], ""],
  ["equal in any case", [{ field: "name", value: "BEN", mode: "insensitive" }], "Ben"],
  ["unequal", [{ field: "name", operator: "ne", value: "Ben" }], "Anna Carl"],
  ["null", [{ field: "image", value: null }], "Ben"],
  ["not null", [{ field: "image", operator: "ne", value: null }], "Anna Carl"],
  ["a boolean", [{ field: "emailVerified", value: true }], "Anna"],
  ["a date", [{ field: "createdAt", operator: "gt", value: DAY }], "Carl"],
  ["a date or later", [{ field: "createdAt", operator: "gte", value: DAY }], "Anna Ben Carl"],
  ["one of", [{ field: "name", operator: "in", value: ["Anna", "Carl"] }], "Anna Carl"],
  ["one of none", [{ field: "name", operator: "in", value: [] }], ""],
  ["none of", [{ field: "name", operator: "not_in", value: ["Anna"] }], "Ben Carl"],
  ["contains", [{ field: "name", operator: "contains", value: "ar" }], "Carl"],
  ["contains a wildcard", [{ field: "image", operator: "contains", value: "%" }], "Anna"],
  ["starts with", [{ field: "name", operator: "starts_with", value: "A" }], "Anna"],
  ["starts with a wildcard", [{ field: "name", operator: "starts_with", value: "_" }], ""],
  ["ends with", [{ field: "name", operator: "ends_with", value: "n" }], "Ben"],
  ["ends with more than there is", [{ field: "name", operator: "ends_with", value: "xxBen" }], ""],
  ["both of two", [{ field: "name", value: "Ben" }, { field: "image", value: "x" }], ""],
  [
    "either of two",
    [{ field: "name", value: "Ben", connector: "OR" }, {
      field: "image",
      value: "x",
      connector: "OR",
    }],
    "Ben Carl",
  ],
  [
    "one, and either of two",
    [{ field: "emailVerified", value: true }, { field: "name", value: "Ben", connector: "OR" }, {
      field: "name",
      value: "Anna",
      connector: "OR",
    }],
    "Anna",
  ],
  ["text that looks like SQL", [{ field: "name", value: "' OR 1=1 --" }], ""],
];

Deno.test("sqlAdapter() finds what a condition means", async () => {
  await withUsers(async (adapter) => {
    for (const [name, where, expected] of TABLE) {
      const rows = await adapter.findMany<{ name: string }>({
        model: "user",
        where: [...where],
        sortBy: { field: "name", direction: "asc" },
      });
      assertEquals(rows.map((row) => row.name).join(" "), expected, name);
      assertEquals(
        await adapter.count({ model: "user", where: [...where] }),
        rows.length,
        `count: ${name}`,
      );
    }
  });
});

Deno.test("sqlAdapter() returns rows as they were written", async () => {
  await withAdapter(async (adapter) => {
    const written = user("Anna").data;
    const expected = { ...written, image: null };
    assertEquals(await adapter.create(user("Anna")), expected);
    const where = [{ field: "id", value: "Anna" }];
    assertEquals(await adapter.findOne({ model: "user", where }), expected);
    const changed = await adapter.update({ model: "user", where, update: { emailVerified: true } });
    assertEquals(fieldOf(changed, "emailVerified"), true);
    assertEquals(await adapter.update({ model: "user", where: [], update: { name: "x" } }), null);
  });
});

Deno.test("sqlAdapter() pages and sorts", async () => {
  await withUsers(async (adapter) => {
    const sortBy = { field: "createdAt", direction: "desc" } as const;
    const [first] = await adapter.findMany<{ name: string }>({ model: "user", sortBy, limit: 1 });
    assertEquals(first?.name, "Carl");
    const rest = await adapter.findMany({ model: "user", sortBy, limit: 5, offset: 1 });
    assertEquals(rest.length, 2);
  });
});

Deno.test("sqlAdapter() consumes a row once, and one row only", async () => {
  await withAdapter(async (adapter) => {
    const verification = (id: string) => ({
      model: "verification",
      data: { id, identifier: "i", value: "v", expiresAt: DAY, createdAt: DAY, updatedAt: DAY },
      forceAllowId: true,
    });
    await adapter.create(verification("a"));
    await adapter.create(verification("b"));
    const consume = () =>
      adapter.consumeOne<{ id: string }>({
        model: "verification",
        where: [{ field: "identifier", value: "i" }],
      });
    const consumed = await Promise.all([consume(), consume(), consume()]);
    assertEquals(consumed.map((row) => row?.id ?? "-").sort(), ["-", "a", "b"]);
  });
});

Deno.test("sqlAdapter() deletes nothing without a condition", async () => {
  await withUsers(async (adapter) => {
    await assertRejects(
      () => adapter.deleteMany({ model: "user", where: [] }),
      Error,
      "which rows",
    );
    await assertRejects(() => adapter.consumeOne({ model: "user", where: [] }), Error, "which row");
    assertEquals(
      await adapter.deleteMany({
        model: "user",
        where: [{ field: "name", operator: "ne", value: "Ben" }],
      }),
      2,
    );
    assertEquals(await adapter.count({ model: "user" }), 1);
  });
});

Deno.test("sqlAdapter() takes no model and no field that the tables do not have", async () => {
  await withUsers(async (adapter) => {
    await assertRejects(() => adapter.count({ model: "sqlite_master" }));
    await assertRejects(() =>
      adapter.findMany({ model: "user", where: [{ field: 'name" = "name" --', value: "x" }] })
    );
    await assertRejects(() =>
      adapter.findMany({ model: "user", sortBy: { field: "1; DROP", direction: "asc" } })
    );
  });
});

Deno.test("sqlAdapter() undoes a transaction that fails, whatever wrote in it", async () => {
  await withAdapter(async (adapter) => {
    await assertRejects(() =>
      adapter.transaction(async (inner) => {
        await inner.create(user("Anna"));
        assertEquals(await inner.count({ model: "user" }), 1);
        await inner.create(user("anna"));
      })
    );
    assertEquals(await adapter.count({ model: "user" }), 0);
  });
});

function fieldOf(record: unknown, name: string): unknown {
  return typeof record === "object" && record !== null
    ? Object.getOwnPropertyDescriptor(record, name)?.value
    : undefined;
}
