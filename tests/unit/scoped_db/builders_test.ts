/** Every form of drizzle's builders works over the caller's own rows (contract 4.4 rule 3, definitions 5). */
import { assertEquals } from "@std/assert";
import {
  and,
  asc,
  avg,
  count,
  countDistinct,
  desc,
  eq,
  exists,
  gt,
  inArray,
  isNull,
  like,
  max,
  ne,
  notInArray,
  or,
  placeholder,
  sql,
  sum,
} from "drizzle-orm";
import { alias, except, intersect, union, unionAll } from "drizzle-orm/sqlite-core";
import { DRIVERS } from "../../support/databases.ts";
import { type ActionOptions, fillDesk, type Handler, NOW, runAction } from "./action.ts";
import { comments, countries, customers, notes, teamTasks, tickets } from "./desk.ts";

interface Form {
  readonly name: string;
  readonly body: (handler: Handler) => unknown;
  readonly gives: unknown;
  readonly options?: ActionOptions;
}

const ids = async (rows: PromiseLike<readonly { readonly id: string }[]>) =>
  (await rows).map(({ id }) => id).sort();

const FORMS: readonly Form[] = [
  { name: "select", body: ({ db }) => ids(db.select().from(tickets)), gives: ["tic_a", "tic_a2"] },
  {
    name: "select of an open table",
    body: ({ db }) => ids(db.select().from(countries)),
    gives: ["nl"],
  },
  {
    name: "select where, order, limit, offset",
    body: ({ db }) =>
      db.select({ id: tickets.id }).from(tickets).where(gt(tickets.priority, 0))
        .orderBy(desc(tickets.priority), asc(tickets.id)).limit(1).offset(1),
    gives: [{ id: "tic_a" }],
  },
  {
    name: "selectDistinct, groupBy, having, aggregates",
    body: ({ db }) =>
      db.selectDistinct({
        org: tickets.organizationId,
        n: count(),
        m: max(tickets.priority),
        s: sum(tickets.priority),
        a: avg(tickets.priority),
        d: countDistinct(tickets.status),
      }).from(tickets).groupBy(tickets.organizationId).having(gt(count(), 1)),
    gives: [{ org: "org_a", n: 2, m: 2, s: "3", a: "1.5", d: 2 }],
  },
  {
    name: "inner, left, right, full and cross joins",
    body: async ({ db }) => [
      (await db.select().from(tickets).innerJoin(customers, eq(customers.id, tickets.customerId)))
        .length,
      await db.select({ t: tickets.id, c: comments.id }).from(tickets)
        .leftJoin(comments, eq(comments.ticketId, tickets.id)).orderBy(tickets.id),
      await db.select({ t: tickets.id, c: comments.id }).from(comments)
        .rightJoin(tickets, eq(comments.ticketId, tickets.id)).orderBy(tickets.id),
      await db.select({ t: tickets.id, n: notes.id }).from(tickets)
        .fullJoin(notes, eq(notes.ticketId, tickets.id)).orderBy(tickets.id),
      (await db.select().from(tickets).crossJoin(customers)).length,
    ],
    gives: [
      2,
      [{ t: "tic_a", c: "com_a" }, { t: "tic_a2", c: null }],
      [{ t: "tic_a", c: "com_a" }, { t: "tic_a2", c: null }],
      [{ t: "tic_a", n: "not_a" }, { t: "tic_a2", n: null }],
      2,
    ],
  },
  {
    name: "aliases and a join of a table with itself",
    body: ({ db }) => {
      const other = alias(tickets, "other");
      return db.select({ a: tickets.id, b: other.id }).from(tickets)
        .innerJoin(other, eq(other.customerId, tickets.customerId))
        .where(ne(tickets.id, other.id)).orderBy(tickets.id);
    },
    gives: [{ a: "tic_a", b: "tic_a2" }, { a: "tic_a2", b: "tic_a" }],
  },
  {
    name: "a common table expression",
    body: ({ db }) => {
      const open = db.$with("open_ones").as(
        db.select().from(tickets).where(eq(tickets.status, "open")),
      );
      return db.with(open).select({ id: open.id }).from(open);
    },
    gives: [{ id: "tic_a" }],
  },
  {
    name: "a subquery in from, in where and in the fields",
    body: ({ db }) => {
      const own = db.select({ id: customers.id }).from(customers).as("own");
      return db.select({
        id: tickets.id,
        n: db.$count(comments, eq(comments.ticketId, tickets.id)),
      }).from(tickets).innerJoin(own, eq(own.id, tickets.customerId))
        .where(inArray(tickets.customerId, db.select({ id: customers.id }).from(customers)))
        .orderBy(tickets.id);
    },
    gives: [{ id: "tic_a", n: 1 }, { id: "tic_a2", n: 0 }],
  },
  {
    name: "exists and helper functions",
    body: ({ db }) =>
      ids(
        db.select().from(tickets).where(
          and(
            exists(db.select().from(comments).where(eq(comments.ticketId, tickets.id))),
            or(like(tickets.subject, "Pri%"), isNull(tickets.subject)),
            notInArray(tickets.status, ["closed"]),
          ),
        ),
      ),
    gives: ["tic_a"],
  },
  {
    name: "union, unionAll, intersect, except",
    body: async ({ db }) => {
      const from = () => db.select({ id: tickets.id }).from(tickets);
      const open = () => from().where(eq(tickets.status, "open"));
      return [
        await ids(union(from(), db.select({ id: customers.id }).from(customers))),
        await ids(unionAll(open(), open())),
        await ids(intersect(from(), open())),
        await ids(except(from(), open())),
        await ids(from().union(open()).orderBy(tickets.id).limit(5)),
      ];
    },
    gives: [["cus_a", "tic_a", "tic_a2"], ["tic_a", "tic_a"], ["tic_a"], ["tic_a2"], [
      "tic_a",
      "tic_a2",
    ]],
  },
  {
    name: "$count",
    body: async (
      { db },
    ) => [await db.$count(tickets), await db.$count(tickets, gt(tickets.priority, 1))],
    gives: [2, 1],
  },
  {
    name: "relational queries",
    body: ({ db }) =>
      db.query.tickets.findMany({
        columns: { id: true },
        where: (of, { eq }) => eq(of.status, "open"),
        orderBy: (of, { desc }) => [desc(of.id)],
      }),
    gives: [{ id: "tic_a" }],
  },
  {
    name: "findFirst",
    body: async ({ db }) => [
      (await db.query.customers.findFirst())?.id,
      await db.query.customers.findFirst({ where: eq(customers.name, "Nobody") }),
    ],
    gives: ["cus_a", undefined],
  },
  {
    name: "relational queries with what belongs to a row",
    body: ({ db }) =>
      db.query.customers.findMany({
        columns: { id: true },
        with: {
          tickets: {
            columns: { id: true },
            orderBy: (of, { asc }) => asc(of.id),
            with: { comments: { columns: { body: true }, limit: 3 }, notes: true, customer: true },
          },
        },
      }).then((rows) =>
        rows.map(({ id, tickets }) => [
          id,
          tickets.map((of) => [of.id, of.comments, of.notes.length, of.customer?.id]),
        ])
      ),
    gives: [["cus_a", [["tic_a", [{ body: "Mine" }], 1, "cus_a"], ["tic_a2", [], 0, "cus_a"]]]],
  },
  {
    name: "an extra's origin, in rows that have a value beside rows that have none",
    async body({ db, origins }) {
      const rows = await db.query.tickets.findMany({
        columns: { id: true },
        extras: { late: sql`nullif(priority, 1)`.as("late") },
        orderBy: (of, { asc }) => asc(of.id),
      });
      return rows.map((row) => [row.late, origins.of(row, "late").map(({ column }) => column)]);
    },
    gives: [[null, ["priority"]], [2, ["priority"]]],
    options: { allowRawSql: true },
  },
  {
    name:
      "origins of what raw SQL computes among builders: what it names, not what it is chosen by",
    async body({ db, origins }) {
      const rows = await db.select({ s: sql<string>`lower(subject)`, id: tickets.id }).from(tickets)
        .where(eq(tickets.priority, 1));
      return rows.map((
        row,
      ) => [
        row.s,
        ...["s", "id"].map((name) => origins.of(row, name).map(({ column }) => column)),
      ]);
    },
    gives: [["printer", ["subject"], []]],
    options: { allowRawSql: true },
  },
  {
    name: "origins of the cells of a raw row, by the names that its star stands for",
    async body({ db, origins }) {
      const [row = []] = await db.values("select upper(id), *, upper(name) from countries limit 1");
      return row.map((_: unknown, at: number) =>
        origins.of(row, `${at}`).map(({ column }) => column).join()
      );
    },
    gives: ["id", "id", "name", "createdAt", "createdBy", "modifiedAt", "modifiedBy", "name"],
    options: { allowRawSql: true },
  },
  {
    name: "origins of a column that a nested star renames",
    async body({ db, origins }) {
      const row = await db.get(
        "with made (a, b, c, d, e, f) as (select s.* from countries as s) select b as x from made",
      );
      return origins.of(row, "x").map(({ column }) => column).includes("name");
    },
    gives: true,
    options: { allowRawSql: true },
  },
  {
    name: "a raw upsert with parameters in its target and in what it sets",
    async body({ db }) {
      await db.run(sql`insert into tickets (id, customer_id, subject) values ('tic_a', 'cus_a', 'X')
        on conflict (id) where priority > ${5} do update set subject = ${"Again"}`);
      return await db.get(sql`select subject from tickets where id = 'tic_a'`);
    },
    gives: { subject: "Again" },
    options: { allowRawSql: true },
  },
  {
    name: "raw SQL with hints for the planner",
    body: ({ db }) =>
      db.get(
        "with a as materialized (select 1 as x), b as not materialized (select x + 1 as y from a) select y from b",
      ),
    gives: { y: 2 },
    options: { allowRawSql: true },
  },
  {
    name: "raw SQL with literals before its parameters",
    async body({ db }) {
      await db.run(sql`insert into comments (body, id) values ('Literal', ${"com_x"})`);
      return await db.get(sql`select body from comments where id = ${"com_x"}`);
    },
    gives: { body: "Literal" },
    options: { allowRawSql: true },
  },
  {
    name: "raw SQL with parameters before and in what makes a text",
    body: ({ db }) => db.all(sql`with a as (select ${"x"} as x) select x || ${"y"} as xy from a`),
    gives: [{ xy: "xy" }],
    options: { allowRawSql: true },
  },
  {
    name: "what is offered, and nothing else, is in the database",
    body: ({ db }) => ["insert", "query", "run", "$client", "session"].map((name) => name in db),
    gives: [true, true, true, false, false],
  },
  {
    name: "booleans, JSON and dates come back as what they are",
    body: async ({ db }) => {
      await db.insert(tickets).values({
        subject: "Typed",
        urgent: true,
        meta: { a: [1, null] },
        customerId: "cus_a",
      });
      return db.select({ urgent: tickets.urgent, meta: tickets.meta, openedAt: tickets.openedAt })
        .from(tickets).where(eq(tickets.subject, "Typed"));
    },
    gives: [{ urgent: true, meta: { a: [1, null] }, openedAt: NOW }],
  },
  {
    name: "insert fills in ids, scope, stamps and defaults",
    body: ({ db }) => db.insert(tickets).values({ subject: "New" }).returning(),
    gives: [{
      id: "ticket_new1",
      organizationId: "org_a",
      customerId: null,
      subject: "New",
      status: "open",
      priority: null,
      urgent: null,
      meta: null,
      openedAt: NOW,
      revision: 1,
      createdAt: NOW,
      createdBy: "alice",
      modifiedAt: null,
      modifiedBy: null,
      deletedAt: null,
      deletedBy: null,
    }],
  },
  {
    name: "insert takes an id and the caller's own scope, and keeps the stamps",
    body: ({ db }) =>
      db.insert(notes).values({
        id: "mine",
        organizationId: "org_a",
        ownerId: "alice",
        title: "T",
        createdAt: "1999-01-01T00:00:00.000Z",
        createdBy: "carl",
      }).returning({ id: notes.id, at: notes.createdAt, by: notes.createdBy }),
    gives: [{ id: "mine", at: NOW, by: "alice" }],
  },
  {
    name: "insert of several rows, owner and team stamped",
    body: async ({ db }) => [
      await db.insert(notes).values([{ title: "1" }, { title: "2", ticketId: "tic_a" }])
        .returning({ id: notes.id, owner: notes.ownerId }),
      await db.insert(teamTasks).values({ title: "x" }).returning({ team: teamTasks.teamId }),
    ],
    gives: [
      [{ id: "note_new1", owner: "alice" }, { id: "note_new2", owner: "alice" }],
      [{ team: "team_1" }],
    ],
  },
  {
    name: "insert without returning says how many",
    body: async ({ db }) => ({
      ...await db.insert(comments).values([{ body: "1" }, { body: "2" }]),
    }),
    gives: { rows: [], rowsAffected: 2 },
  },
  {
    name: "insert … select",
    body: async ({ db }) => {
      const copy = db.select({
        id: tickets.subject,
        organizationId: tickets.organizationId,
        ticketId: tickets.id,
        body: tickets.subject,
        createdAt: tickets.createdAt,
        createdBy: tickets.createdBy,
        modifiedAt: tickets.modifiedAt,
        modifiedBy: tickets.modifiedBy,
        deletedAt: tickets.deletedAt,
        deletedBy: tickets.deletedBy,
      }).from(tickets);
      await db.insert(comments).select(copy);
      return db.select({ id: comments.id, at: comments.createdAt }).from(comments)
        .orderBy(comments.id);
    },
    gives: [{ id: "Printer", at: NOW }, { id: "Screen", at: NOW }, {
      id: "com_a",
      at: "2026-01-01T00:00:00.000Z",
    }],
  },
  {
    name: "onConflictDoNothing",
    body: async ({ db }) => [
      await db.insert(tickets).values({ id: "tic_a", subject: "X" }).onConflictDoNothing()
        .returning(),
      await db.insert(tickets).values({ id: "tic_a", subject: "X" })
        .onConflictDoNothing({ target: tickets.id }).returning(),
    ],
    gives: [[], []],
  },
  {
    name: "onConflictDoUpdate by id, stamped",
    body: ({ db }) =>
      db.insert(tickets).values({ id: "tic_a", subject: "X" })
        .onConflictDoUpdate({ target: tickets.id, set: { subject: "Again" } })
        .returning({
          id: tickets.id,
          subject: tickets.subject,
          revision: tickets.revision,
          at: tickets.modifiedAt,
          by: tickets.modifiedBy,
        }),
    gives: [{ id: "tic_a", subject: "Again", revision: 2, at: NOW, by: "alice" }],
  },
  {
    name: "onConflictDoUpdate by what is unique within the tenant",
    body: async ({ db }) => {
      const values = { name: "Ann II", email: "ann@a.test" };
      await db.insert(customers).values(values)
        .onConflictDoUpdate({ target: customers.email, set: { name: "Ann II" } });
      await db.insert(customers).values({ ...values, name: "Ann III" })
        .onConflictDoUpdate({
          target: [customers.organizationId, customers.email],
          set: { name: "Ann III" },
          setWhere: eq(customers.name, "Nobody"),
        });
      return db.select({ id: customers.id, name: customers.name }).from(customers);
    },
    gives: [{ id: "cus_a", name: "Ann II" }],
  },
  {
    name: "update stamps and counts revisions",
    body: ({ db }) =>
      db.update(tickets).set({ subject: "Changed", createdBy: "carl", revision: 40 })
        .where(eq(tickets.id, "tic_a2")).returning({
          subject: tickets.subject,
          revision: tickets.revision,
          at: tickets.modifiedAt,
          by: tickets.modifiedBy,
          made: tickets.createdBy,
        }),
    gives: [{ subject: "Changed", revision: 5, at: NOW, by: "alice", made: null }],
  },
  {
    name: "update of every row is every own row",
    body: async ({ db }) => ({ ...await db.update(tickets).set({ priority: 7 }) }),
    gives: { rows: [], rowsAffected: 2 },
  },
  {
    name: "update … from",
    body: ({ db }) =>
      db.update(tickets).set({ subject: customers.name }).from(customers)
        .where(and(eq(customers.id, tickets.customerId), eq(tickets.id, "tic_a")))
        .returning({ subject: tickets.subject }),
    gives: [{ subject: "Ann" }],
  },
  {
    name: "update with a subquery and with a common table expression",
    body: async ({ db }) => {
      const own = db.$with("own").as(db.select({ id: comments.ticketId }).from(comments));
      await db.with(own).update(tickets).set({ priority: 5 })
        .where(inArray(tickets.id, db.select({ id: own.id }).from(own)));
      return db.select({ id: tickets.id, p: tickets.priority }).from(tickets).orderBy(tickets.id);
    },
    gives: [{ id: "tic_a", p: 5 }, { id: "tic_a2", p: 2 }],
  },
  {
    name: "delete stamps where the table soft-deletes, and reaches what refers to the row",
    body: async ({ db, transaction }) => {
      const gone = await db.delete(customers).where(eq(customers.id, "cus_a"))
        .returning({ id: customers.id, by: customers.deletedBy });
      const { rows } = await transaction.run({
        sql:
          "SELECT id, deleted_at, deleted_by, revision FROM tickets WHERE deleted_by = 'alice' " +
          "UNION ALL SELECT id, deleted_at, deleted_by, 0 FROM comments WHERE deleted_by = 'alice' ORDER BY id",
        args: [],
      });
      return [gone, rows, await db.$count(tickets), await db.$count(comments)];
    },
    gives: [
      [{ id: "cus_a", by: "alice" }],
      [
        ["com_a", NOW, "alice", 0],
        ["tic_a", NOW, "alice", 2],
        ["tic_a2", NOW, "alice", 5],
      ],
      0,
      0,
    ],
  },
  {
    name: "delete removes where the table does not soft-delete",
    body: async ({ db, transaction }) => {
      const result = await db.delete(notes).where(eq(notes.id, "not_a"));
      const { rows } = await transaction.run({
        sql: "SELECT id FROM notes WHERE id = 'not_a'",
        args: [],
      });
      return [{ ...result }, rows];
    },
    gives: [{ rows: [], rowsAffected: 1 }, []],
  },
  {
    name: "prepared statements with placeholders",
    body: async ({ db }) => {
      const one = db.select({ id: tickets.id }).from(tickets)
        .where(eq(tickets.id, placeholder("id"))).prepare();
      const add = db.insert(comments).values({ body: placeholder("body") }).returning({
        body: comments.body,
      }).prepare();
      return [
        await one.all({ id: "tic_a" }),
        await one.get({ id: "tic_b" }),
        await one.values({ id: "tic_a2" }),
        await add.execute({ body: "prepared" }),
      ];
    },
    gives: [[{ id: "tic_a" }], undefined, [["tic_a2"]], [{ body: "prepared" }]],
  },
  {
    name: "batch",
    body: ({ db }) =>
      db.batch([
        db.insert(comments).values({ body: "b" }).returning({ id: comments.id }),
        db.select({ id: comments.id }).from(comments).orderBy(comments.id),
        db.query.customers.findFirst({ columns: { id: true } }),
      ]),
    gives: [[{ id: "comment_new1" }], [{ id: "com_a" }, { id: "comment_new1" }], { id: "cus_a" }],
  },
  {
    name: "transactions nest, and take back what threw",
    body: async ({ db }) => {
      await db.transaction(async (outer) => {
        await outer.insert(comments).values({ body: "kept" });
        try {
          await outer.transaction(async (inner) => {
            await inner.insert(comments).values({ body: "gone" });
            inner.rollback();
          });
        } catch {
          await outer.insert(comments).values({ body: "after" });
        }
      });
      return (await db.select({ body: comments.body }).from(comments)).map(({ body }) => body)
        .sort();
    },
    gives: ["Mine", "after", "kept"],
  },
  {
    name: "statements at once run one after another",
    body: async ({ db }) => {
      await Promise.all(Array.from({ length: 5 }, () => db.insert(comments).values({ body: "x" })));
      return db.$count(comments);
    },
    gives: 6,
  },
  {
    name: "declared raw SQL sees the caller's rows, as objects",
    options: { allowRawSql: true },
    body: async ({ db }) => [
      await db.all(sql`select id, length(subject) as n from tickets order by id`),
      await db.get(
        sql`select count(*) as n from ${tickets} where ${tickets.organizationId} = ${"org_b"}`,
      ),
      await db.values("select group_concat(name, ',') from customers"),
      await db.run(sql`update tickets set subject = upper(subject) where 1 = 1`),
      await db.select({ s: sql<string>`lower(${tickets.subject})` }).from(tickets).orderBy(
        tickets.id,
      ),
    ],
    gives: [
      [{ id: "tic_a", n: 7 }, { id: "tic_a2", n: 6 }],
      { n: 0 },
      [["Ann"]],
      { rows: [], rowsAffected: 2 },
      [{ s: "printer" }, { s: "screen" }],
    ],
  },
];

for (const driver of DRIVERS) {
  Deno.test(`builders work over the caller's rows (${driver.name})`, async (test) => {
    await driver.with(async (database) => {
      await fillDesk(database);
      for (const { name, body, gives, options } of FORMS) {
        await test.step(name, async () => {
          const { value, error, before, after } = await runAction(database, body, options);
          if (error !== null) throw error;
          assertEquals(value, gives);
          assertEquals(after, before);
        });
      }
    });
  });
}
