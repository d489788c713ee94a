/** Records as they leave the data layer: exact values, masks, labels, pages. */
import { assertEquals, assertRejects } from "@std/assert";
import type { Principal } from "../../../shared/model/principal.ts";
import type { ResourceModel } from "../../../shared/model/resource.ts";
import { ANONYMOUS } from "../../../shared/model/principal.ts";
import type { TableModel } from "../../../shared/model/table.ts";
import { column } from "../../../shared/model/table_spec.ts";
import { dataLayerOf } from "../../../shared/runtime/data/data_layer.ts";
import type { Filter, Page, PageQuery } from "../../../shared/runtime/data/types.ts";
import { stored as storedValue } from "../../../shared/column_types/mod.ts";
import { firewallFor } from "../../../shared/runtime/layers/3-firewall/firewall.ts";
import type { Database, SqlValue } from "../../../shared/runtime/ports.ts";
import { withModelDatabase } from "../../support/model_database.ts";
import { caller, customers, model, tickets } from "../../support/sample_model.ts";

const PORTS = {
  clock: { now: () => 0 },
  random: { bytes: (length: number) => new Uint8Array(length) },
};
const STAMPS = { now: "2026-01-01T00:00:00.000Z", userId: "user_1" };
const ADMIN = caller("admin");
const AGENT = caller("agent");
const STRANGER: Principal = { ...caller("admin"), userId: "user_9", organizationId: "org_9" };

function resourceOf(table: TableModel): ResourceModel {
  const found = model.resources.find((resource) => resource.table === table.name);
  if (!found) throw new Error(`No resource for ${table.name}`);
  return found;
}

const wall = (table: TableModel, principal: Principal) =>
  firewallFor(table, { principal, organizationId: principal.organizationId });

interface Row {
  readonly id: string;
  readonly principal?: Principal;
  readonly now?: string;
  readonly values: Readonly<Record<string, SqlValue>>;
}

async function insert(database: Database, table: TableModel, rows: readonly Row[]): Promise<void> {
  const data = dataLayerOf(model, PORTS);
  await database.write(async (transaction) => {
    for (const { id, values, principal = ADMIN, now = STAMPS.now } of rows) {
      await data.insertRow(transaction, {
        firewall: wall(table, principal),
        id,
        values: new Map(Object.entries(values)),
        stamps: { now, userId: principal.userId },
      });
    }
  });
}

async function record(
  database: Database,
  { table, id, principal, columns }: {
    readonly table: TableModel;
    readonly id: string;
    readonly principal: Principal;
    readonly columns?: readonly string[];
  },
): Promise<unknown> {
  const text = await dataLayerOf(model, PORTS).prepareRecord({
    firewall: wall(table, principal),
    projection: {
      resource: resourceOf(table),
      columns: columns ?? table.columns.map(({ name }) => name),
    },
  })(database, id);
  return text === null ? null : JSON.parse(text);
}

const page = (
  database: Database,
  query: Partial<PageQuery> & { readonly table: TableModel; readonly principal?: Principal },
): Promise<Page> => {
  const { table, principal = ADMIN, ...rest } = query;
  return dataLayerOf(model, PORTS).preparePage({
    firewall: wall(table, principal),
    rule: null,
    projection: { resource: resourceOf(table), columns: ["id"] },
    filters: [],
    where: null,
    search: null,
    byRank: false,
    near: null,
    sort: [],
    limit: 50,
    offset: 0,
    from: null,
    withTotal: false,
    aggregations: [],
    embeddings: [],
    ...rest,
  })(database);
};

const idsOf = ({ records }: Page): unknown[] => records.map((text) => JSON.parse(text).id);

Deno.test("a record carries every column type exactly", () =>
  withModelDatabase(model, async (database) => {
    await insert(database, tickets, [{
      id: "t1",
      values: {
        subject: 'He said "é😀"\n\\',
        body: "",
        priority: 2 ** 53 - 1,
        score: 0.1 + 0.2,
        urgent: 1,
        dueAt: "2026-01-31T00:00:00.000Z",
        meta: '{"a":[1,{"b":null}],"n":12345678901234567890}',
        limit: -5,
      },
    }]);
    assertEquals(await record(database, { table: tickets, id: "t1", principal: ADMIN }), {
      id: "t1",
      organizationId: "org_1",
      customerId: null,
      customer_label: null,
      subject: 'He said "é😀"\n\\',
      body: "",
      status: "open",
      size: null,
      priority: 2 ** 53 - 1,
      score: 0.1 + 0.2,
      urgent: true,
      dueAt: "2026-01-31T00:00:00.000Z",
      link: null,
      meta: { a: [1, { b: null }], n: 12345678901234567890 },
      limit: -5,
      phone: null,
      revision: 1,
      createdAt: STAMPS.now,
      createdBy: "user_1",
      modifiedAt: STAMPS.now,
      modifiedBy: null,
      deletedAt: null,
      deletedBy: null,
    });
  }));

Deno.test("a record has the members asked for, in that order, each label behind its foreign key", () =>
  withModelDatabase(model, async (database) => {
    await insert(database, customers, [{ id: "c1", values: { name: "Ada", email: "ada@ex.com" } }]);
    await insert(database, tickets, [{ id: "t1", values: { subject: "s", customerId: "c1" } }]);
    const columns = ["score", "customerId", "id", "urgent"];
    const text = await dataLayerOf(model, PORTS).prepareRecord({
      firewall: wall(tickets, ADMIN),
      projection: { resource: resourceOf(tickets), columns },
    })(database, "t1");
    assertEquals(
      text,
      '{"score":null,"customerId":"c1","customer_label":"Ada","id":"t1","urgent":null}',
    );
  }));

Deno.test("a masked column is plain to its roles and to the row's owner, masked to everyone else", () =>
  withModelDatabase(model, async (database) => {
    const other: Principal = { ...AGENT, userId: "user_2" };
    const values = {
      name: "Ada",
      email: "ada@ex.com",
      phone: "030 1234567",
      tier: "gold",
      balance: 7,
    };
    await insert(database, customers, [
      { id: "mine", principal: other, values },
      { id: "theirs", values: { ...values, email: "bob@ex.com", phone: null } },
    ]);
    const columns = ["email", "phone", "tier", "balance"];
    const seen = (id: string, principal: Principal) =>
      record(database, { table: customers, id, principal, columns });
    const plain = { email: "ada@ex.com", phone: "030 1234567", tier: "gold", balance: 7 };
    assertEquals(await seen("mine", ADMIN), plain);
    assertEquals(await seen("mine", other), plain);
    assertEquals(await seen("mine", AGENT), {
      email: "a***@e***.com",
      phone: "***-***-4567",
      tier: "[REDACTED]",
      balance: "[REDACTED]",
    });
    assertEquals(await seen("theirs", other), {
      email: "b***@e***.com",
      phone: null,
      tier: "[REDACTED]",
      balance: "[REDACTED]",
    });
  }));

Deno.test("a label is null when its row is deleted, another tenant's, or not the caller's to read", () =>
  withModelDatabase(model, async (database) => {
    const values = { name: "Ada", email: "a@b.com" };
    await insert(database, customers, [
      { id: "live", values },
      { id: "gone", values: { ...values, email: "c@d.com" } },
      { id: "foreign", principal: STRANGER, values },
    ]);
    await insert(
      database,
      tickets,
      ["live", "gone", "foreign"].map((id) => ({ id, values: { subject: "s", customerId: id } })),
    );
    await database.write((transaction) =>
      dataLayerOf(model, PORTS).softDeleteRows(transaction, {
        firewall: wall(customers, ADMIN),
        ids: ["gone"],
        stamps: STAMPS,
        rule: null,
      })
    );
    await database.write((transaction) =>
      transaction.run({ sql: "UPDATE tickets SET deleted_at = NULL", args: [] })
    );
    const label = async (id: string, principal: Principal) =>
      await record(database, { table: tickets, id, principal, columns: ["customerId"] });
    assertEquals(await label("live", ADMIN), { customerId: "live", customer_label: "Ada" });
    assertEquals(await label("gone", ADMIN), { customerId: "gone", customer_label: null });
    assertEquals(await label("foreign", ADMIN), { customerId: "foreign", customer_label: null });
    const reader = caller("somebody");
    assertEquals(await label("live", reader), { customerId: "live", customer_label: null });
  }));

Deno.test("a label whose source is masked for the caller is masked the same way", () =>
  withModelDatabase(model, async (database) => {
    const labelled = {
      ...model,
      resources: model.resources.map((resource) =>
        resource.name === "tickets"
          ? { ...resource, labels: resource.labels.map((one) => ({ ...one, display: "email" })) }
          : resource
      ),
    };
    await insert(database, customers, [{ id: "c", values: { name: "Ada", email: "ada@ex.com" } }]);
    await insert(database, tickets, [{ id: "t", values: { subject: "s", customerId: "c" } }]);
    const resource = labelled.resources.find(({ name }) => name === "tickets");
    if (!resource) throw new Error("No tickets");
    const seen = async (principal: Principal) =>
      JSON.parse(
        await dataLayerOf(labelled, PORTS).prepareRecord({
          firewall: wall(tickets, principal),
          projection: { resource, columns: ["customerId"] },
        })(database, "t") ?? "null",
      ).customer_label;
    assertEquals(await seen({ ...AGENT, userId: "user_3" }), "a***@e***.com");
    assertEquals(await seen(ADMIN), "ada@ex.com");
    assertEquals(await seen(AGENT), "ada@ex.com");
  }));

Deno.test("a record of more than 63 columns comes whole", () => {
  const many = Array.from({ length: 150 }, (_, index) =>
    column({
      name: `c${index}`,
      sqlName: `c${index}`,
      type: index === 70 ? { kind: "real" } : { kind: "int" },
    }));
  const wide: TableModel = { ...customers, indexes: [], columns: [...customers.columns, ...many] };
  const project = {
    ...model,
    tables: model.tables.map((table) => table.name === "customers" ? wide : table),
  };
  return withModelDatabase(project, async (database) => {
    const values = new Map<string, SqlValue>(many.map(({ name }, index) => [name, index]));
    values.set("name", "n").set("email", "e");
    const data = dataLayerOf(project, PORTS);
    const firewall = wall(wide, ADMIN);
    await database.write((transaction) =>
      data.insertRow(transaction, { firewall, id: "w", values, stamps: STAMPS })
    );
    const columns = many.map(({ name }) => name);
    const projection = { resource: resourceOf(customers), columns };
    assertEquals(
      await data.prepareRecord({ firewall, projection })(database, "w"),
      `{${many.map(({ name }, index) => `"${name}":${index}`).join(",")}}`,
    );
  });
});

Deno.test("a page knows whether there is more and how much there is", () =>
  withModelDatabase(model, async (database) => {
    const rows = Array.from({ length: 5 }, (_, index) => ({
      id: `t${index}`,
      values: { subject: "s", priority: index },
    }));
    await insert(database, tickets, rows);
    await insert(database, tickets, [{ id: "x", principal: STRANGER, values: { subject: "s" } }]);
    const sort = [{ column: "priority", descending: true }];
    const first = await page(database, { table: tickets, sort, limit: 2, withTotal: true });
    assertEquals([idsOf(first), first.hasMore, first.total], [["t4", "t3"], true, 5]);
    const last = await page(database, { table: tickets, sort, limit: 2, offset: 3 });
    assertEquals([idsOf(last), last.hasMore, last.total], [["t1", "t0"], false, null]);
    const beyond = await page(database, { table: tickets, sort, offset: 9, withTotal: true });
    assertEquals([idsOf(beyond), beyond.hasMore, beyond.total], [[], false, 5]);
  }));

Deno.test("a page sorts NULLs first ascending and last descending, ties by id in the same direction", () =>
  withModelDatabase(model, async (database) => {
    const scores: readonly (readonly [string, SqlValue])[] = [
      ["a", 1],
      ["b", null],
      ["c", 0.5],
      ["d", null],
      ["e", 1],
    ];
    await insert(
      database,
      tickets,
      scores.map(([id, score]) => ({ id, values: { subject: "s", score } })),
    );
    const sorted = async (descending: boolean) =>
      idsOf(await page(database, { table: tickets, sort: [{ column: "score", descending }] }));
    assertEquals(await sorted(false), ["b", "d", "c", "a", "e"]);
    assertEquals(await sorted(true), ["e", "a", "c", "d", "b"]);
  }));

const FILTERS: readonly (readonly [Filter, readonly string[]])[] = [
  [{ column: "subject", operator: "eq", values: ["100%"] }, ["a"]],
  [{ column: "subject", operator: "ne", values: ["100%"] }, ["b", "c", "d"]],
  [{ column: "subject", operator: "like", values: ["0%"] }, ["a"]],
  [{ column: "subject", operator: "like", values: ["_"] }, ["c"]],
  [{ column: "subject", operator: "like", values: ["\\"] }, ["d"]],
  [{ column: "subject", operator: "like", values: ["A_B"] }, ["c"]],
  [{ column: "priority", operator: "gt", values: [2] }, ["c", "d"]],
  [{ column: "priority", operator: "gte", values: [2] }, ["b", "c", "d"]],
  [{ column: "priority", operator: "lt", values: [2] }, ["a"]],
  [{ column: "priority", operator: "lte", values: [2] }, ["a", "b"]],
  [{ column: "priority", operator: "in", values: [1, 4, 9] }, ["a", "d"]],
  [{ column: "score", operator: "in", values: [0.1] }, ["a"]],
  [{ column: "score", operator: "ne", values: [0.1] }, ["b", "c", "d"]],
  [{ column: "score", operator: "eq", values: [null] }, ["b", "c", "d"]],
  [{ column: "score", operator: "gt", values: [-1] }, ["a"]],
  [{ column: "urgent", operator: "eq", values: [1] }, ["b"]],
  [{ column: "subject", operator: "in", values: [] }, []],
];

Deno.test("a filter matches what its operator says, wildcards of LIKE taken literally", () =>
  withModelDatabase(model, async (database) => {
    await insert(database, tickets, [
      { id: "a", values: { subject: "100%", priority: 1, score: 0.1 } },
      { id: "b", values: { subject: "1000", priority: 2, urgent: 1 } },
      { id: "c", values: { subject: "a_b", priority: 3, urgent: 0 } },
      { id: "d", values: { subject: "axb\\", priority: 4 } },
    ]);
    const sort = [{ column: "id", descending: false }];
    for (const [filter, expected] of FILTERS) {
      const found = await page(database, {
        table: tickets,
        filters: [filter],
        sort,
        withTotal: true,
      });
      assertEquals<unknown>(idsOf(found), expected, JSON.stringify(filter));
      assertEquals(found.total, expected.length);
    }
  }));

Deno.test("a search matches any of its columns, and without columns nothing", () =>
  withModelDatabase(model, async (database) => {
    await insert(database, tickets, [
      { id: "a", values: { subject: "Printer", body: null } },
      { id: "b", values: { subject: "other", body: "the PRINTER burns" } },
      { id: "c", values: { subject: "other", body: "p%r" } },
    ]);
    const found = async (columns: readonly string[], text: string) =>
      idsOf(
        await page(database, {
          table: tickets,
          search: { columns, text },
          sort: [{ column: "id", descending: false }],
        }),
      );
    assertEquals(await found(["subject", "body"], "printer"), ["a", "b"]);
    assertEquals(await found(["subject"], "printer"), ["a"]);
    assertEquals(await found(["subject", "body"], "p%r"), ["c"]);
    assertEquals(await found([], ""), []);
  }));

Deno.test("a row rule narrows pages and totals alike", () =>
  withModelDatabase(model, async (database) => {
    await insert(database, tickets, [
      { id: "a", values: { subject: "s", priority: 1 } },
      { id: "b", values: { subject: "s", priority: 2 } },
    ]);
    const rule = {
      kind: "conditions",
      conditions: [{
        column: "priority",
        operator: "greaterThan",
        operand: { kind: "literal", value: 1 },
      }],
    } as const;
    const found = await page(database, { table: tickets, rule, withTotal: true });
    assertEquals([idsOf(found), found.total], [["b"], 1]);
  }));

Deno.test("nobody reads, counts, changes or deletes behind another tenant's firewall", () =>
  withModelDatabase(model, async (database) => {
    const data = dataLayerOf(model, PORTS);
    await insert(database, tickets, [{ id: "t", values: { subject: "mine" } }]);
    for (const principal of [STRANGER, { ...STRANGER, organizationId: null }, ANONYMOUS]) {
      const firewall = wall(tickets, principal);
      const key = { firewall, id: "t" };
      assertEquals(await record(database, { table: tickets, id: "t", principal }), null);
      assertEquals(await data.selectStored(database, key), null);
      assertEquals(await data.probeDeleted(database, key), false);
      assertEquals((await data.readableIds(database, { firewall, ids: ["t"] })).size, 0);
      const found = await page(database, { table: tickets, principal, withTotal: true });
      assertEquals([found.records.length, found.total], [0, 0]);
      const change = { ...key, stamps: STAMPS, rule: null };
      const values = new Map([["subject", "theirs"]]);
      await database.write(async (transaction) => {
        assertEquals(await data.updateRow(transaction, { ...change, values }), false);
        const removal = { firewall, ids: ["t"], stamps: STAMPS, rule: null };
        assertEquals(await data.softDeleteRows(transaction, removal), new Set());
        assertEquals(await data.hardDeleteRows(transaction, removal), new Set());
      });
    }
    const columns = ["subject", "revision"];
    assertEquals(
      await record(database, { table: tickets, id: "t", principal: ADMIN, columns }),
      { subject: "mine", revision: 1 },
    );
  }));

Deno.test("an update writes what it names, stamps the row and counts its revision", () =>
  withModelDatabase(model, async (database) => {
    const data = dataLayerOf(model, PORTS);
    await insert(database, tickets, [{ id: "t", values: { subject: "old", body: "kept" } }]);
    const firewall = wall(tickets, AGENT);
    const changed = await database.write((transaction) =>
      data.updateRow(transaction, {
        firewall,
        id: "t",
        values: new Map([["subject", "new"]]),
        stamps: { now: "2026-02-02T00:00:00.000Z", userId: "user_2" },
        rule: null,
      })
    );
    assertEquals(changed, true);
    const columns = ["subject", "body", "createdBy", "modifiedAt", "modifiedBy", "revision"];
    assertEquals(await record(database, { table: tickets, id: "t", principal: ADMIN, columns }), {
      subject: "new",
      body: "kept",
      createdBy: "user_1",
      modifiedAt: "2026-02-02T00:00:00.000Z",
      modifiedBy: "user_2",
      revision: 2,
    });
  }));

Deno.test("a new row takes a default where a column is omitted, and null where null is said", () => {
  const defaulted = {
    ...model,
    tables: model.tables.map((table) => ({
      ...table,
      columns: table.columns.map((one) =>
        one.name === "tier" || one.name === "phone"
          ? { ...one, default: { kind: "literal", value: "gold" } as const }
          : one
      ),
    })),
  };
  return withModelDatabase(defaulted, async (database) => {
    const table = defaulted.tables.find(({ name }) => name === "customers") ?? customers;
    const values = { name: "n", email: "e", phone: null };
    await insert(database, table, [{ id: "c", values }]);
    const columns = ["tier", "phone"];
    assertEquals(await record(database, { table, id: "c", principal: ADMIN, columns }), {
      tier: "gold",
      phone: null,
    });
  });
});

Deno.test("a new row is never written without its scope", () =>
  withModelDatabase(model, async (database) => {
    const nowhere = { ...ADMIN, organizationId: null };
    const values = { name: "n", email: "f" };
    await assertRejects(
      () => insert(database, customers, [{ id: "d", principal: nowhere, values }]),
      Error,
      "no organization",
    );
  }));

Deno.test("the caller's own soft-deleted row is told apart from a missing one", () =>
  withModelDatabase(model, async (database) => {
    const data = dataLayerOf(model, PORTS);
    await insert(database, tickets, [{ id: "t", values: { subject: "s" } }]);
    const key = { firewall: wall(tickets, ADMIN), id: "t" };
    assertEquals(await data.probeDeleted(database, key), false);
    await database.write((transaction) =>
      data.softDeleteRows(transaction, { ...key, ids: ["t"], stamps: STAMPS, rule: null })
    );
    assertEquals(await data.probeDeleted(database, key), true);
    assertEquals(await data.probeDeleted(database, { ...key, id: "none" }), false);
    const stranger = { firewall: wall(tickets, STRANGER), id: "t" };
    assertEquals(await data.probeDeleted(database, stranger), false);
  }));

Deno.test("stored() keeps booleans as numbers, JSON as text and date-times in UTC", () => {
  const stored = (name: string, value: unknown) => {
    const found = tickets.columns.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`No column ${name}`);
    return storedValue(found, value);
  };
  assertEquals(stored("urgent", true), 1);
  assertEquals(stored("meta", { a: [1] }), '{"a":[1]}');
  assertEquals(stored("meta", null), null);
  assertEquals(stored("dueAt", "2026-01-31T01:00:00+01:00"), "2026-01-31T00:00:00.000Z");
  assertEquals(stored("score", 0.1), 0.1);
});
