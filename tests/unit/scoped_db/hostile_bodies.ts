/** Handlers that reach for rows of others: by mistake, by trick, by raw SQL. */
import {
  and,
  asc,
  count,
  eq,
  exists,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  max,
  ne,
  not,
  or,
  placeholder,
  SQL,
  sql,
  type Table,
} from "drizzle-orm";
import {
  alias,
  except,
  QueryBuilder,
  sqliteTable,
  sqliteView,
  text,
  union,
} from "drizzle-orm/sqlite-core";
import type { ActionOptions, Handler } from "./action.ts";
import { comments, customers, notes, teamTasks, tickets } from "./desk.ts";

export interface HostileBody {
  readonly name: string;
  readonly body: (handler: Handler) => unknown;
  /** What the refusal says; without it the body runs, over the caller's own rows. */
  readonly refused?: RegExp;
  readonly options?: ActionOptions;
}

const RAW: ActionOptions = { allowRawSql: true };

/** Reaches a member that the types do not show. */
function member(of: unknown, name: string): object {
  return Object(Reflect.get(Object(of), name));
}

function call(of: unknown, name: string, ...args: readonly unknown[]): unknown {
  const method = member(of, name);
  if (typeof method !== "function") throw new TypeError(`No method "${name}"`);
  return Reflect.apply(method, of, args);
}

/** Another view of a table: the same name in SQL, other columns in JavaScript. */
const lookalike = sqliteTable("tickets", {
  id: text("id").primaryKey(),
  org: text("organization_id").notNull(),
  subject: text("subject").notNull(),
  gone: text("deleted_at"),
});
const users = sqliteTable("auth_user", { id: text("id"), email: text("email") });
const audits = sqliteTable("audit_events", { id: text("id"), result: text("result") });
const catalogue = sqliteTable("sqlite_master", { name: text("name"), sql: text("sql") });
const everyTicket = sqliteView("every_ticket").as((qb) => qb.select().from(tickets));

/** Says it is one thing when it is asked first, and another afterwards. */
class Shifty extends SQL {
  #asked = 0;
  override getSQL(): SQL {
    this.#asked += 1;
    return this.#asked > 1 ? sql.raw("1) or (1") : sql`${1}`;
  }
}

export const READS: readonly HostileBody[] = [
  { name: "select everything", body: ({ db }) => db.select().from(tickets) },
  {
    name: "select another tenant by its column",
    body: ({ db }) => db.select().from(tickets).where(eq(tickets.organizationId, "org_b")),
  },
  {
    name: "select a known foreign id",
    body: ({ db }) => db.select().from(tickets).where(eq(tickets.id, "tic_b")),
  },
  {
    name: "or around the tenant",
    body: ({ db }) =>
      db.select().from(tickets).where(
        or(eq(tickets.organizationId, "org_a"), isNotNull(tickets.id), not(eq(tickets.id, "x"))),
      ),
  },
  {
    name: "where called twice",
    body: ({ db }) =>
      db.select().from(tickets).$dynamic().where(eq(tickets.id, "tic_b")).where(
        isNotNull(tickets.id),
      ),
  },
  { name: "someone else's notes", body: ({ db }) => db.select().from(notes) },
  { name: "another team's tasks", body: ({ db }) => db.select().from(teamTasks) },
  {
    name: "soft-deleted rows",
    body: ({ db }) => db.select().from(tickets).where(isNotNull(tickets.deletedAt)),
  },
  {
    name: "left join without a tie",
    body: ({ db }) => db.select().from(tickets).leftJoin(customers, isNotNull(customers.id)),
  },
  {
    name: "right join",
    body: ({ db }) => db.select().from(comments).rightJoin(tickets, eq(tickets.id, "tic_b")),
  },
  {
    name: "full join",
    body: ({ db }) => db.select().from(comments).fullJoin(notes, eq(notes.id, comments.id)),
  },
  { name: "cross join", body: ({ db }) => db.select().from(tickets).crossJoin(customers) },
  {
    name: "alias",
    body: ({ db }) => {
      const other = alias(tickets, "t2");
      return db.select().from(other).where(eq(other.organizationId, "org_b"));
    },
  },
  {
    name: "alias named as another table",
    body: ({ db }) => db.select().from(alias(tickets, "customers")),
  },
  {
    name: "alias named as the schema",
    body: ({ db }) => {
      const main = alias(tickets, "main");
      return db.select({ id: main.id, subject: main.subject }).from(main)
        .innerJoin(customers, eq(customers.id, main.customerId));
    },
    refused: /"main\."/,
  },
  {
    name: "join with an alias of the table itself",
    body: ({ db }) => {
      const other = alias(tickets, "other");
      return db.select().from(tickets).innerJoin(other, ne(other.id, tickets.id));
    },
  },
  {
    name: "subquery in from",
    body: ({ db }) => {
      const inner = db.select().from(tickets).as("inner_ones");
      return db.select().from(inner).where(eq(inner.organizationId, "org_b"));
    },
  },
  {
    name: "subquery as a field",
    body: ({ db }) =>
      db.select({ n: sql<string>`${db.select({ m: max(customers.name) }).from(customers)}` })
        .from(tickets),
  },
  {
    name: "$count as a field and in where",
    body: async ({ db }) => {
      const rows = await db.select({ n: db.$count(tickets) }).from(comments)
        .where(gt(db.$count(customers), 0));
      if (rows.some(({ n }) => n !== 2)) throw new Error("SECRET");
    },
  },
  {
    name: "$count with a foreign filter",
    body: async ({ db }) => {
      if (await db.$count(tickets, eq(tickets.organizationId, "org_b")) > 0) {
        throw new Error("SECRET");
      }
    },
  },
  {
    name: "exists over foreign rows",
    body: async ({ db }) => {
      const rows = await db.select({ id: tickets.id }).from(tickets).where(
        exists(db.select().from(customers).where(eq(customers.organizationId, "org_b"))),
      );
      if (rows.length > 0) throw new Error("SECRET");
    },
  },
  {
    name: "in a subquery over foreign rows",
    body: async ({ db }) => {
      const rows = await db.select().from(tickets).where(
        not(inArray(tickets.id, db.select({ id: customers.id }).from(customers))),
      );
      if (rows.length !== 2) throw new Error("SECRET");
    },
  },
  {
    name: "union with another table",
    body: ({ db }) =>
      union(
        db.select({ v: tickets.subject }).from(tickets),
        db.select({ v: customers.name }).from(customers),
      ),
  },
  {
    name: "except leaves what the other side hides",
    body: ({ db }) =>
      except(
        db.select({ id: tickets.id }).from(tickets),
        db.select({ id: tickets.id }).from(tickets).where(eq(tickets.organizationId, "org_a")),
      ),
  },
  {
    name: "union by a separate query builder",
    body: ({ db }) =>
      db.select({ v: tickets.subject }).from(tickets).unionAll(
        new QueryBuilder().select({ v: customers.name }).from(customers),
      ),
  },
  {
    name: "a separate query builder with a join",
    body: ({ db }) => {
      const inner = new QueryBuilder().select({ id: tickets.id, name: customers.name })
        .from(tickets).leftJoin(customers, isNotNull(customers.id)).as("built");
      return db.select().from(inner);
    },
  },
  {
    name: "common table expression",
    body: ({ db }) => {
      const all = db.$with("all_of_them").as(db.select().from(tickets));
      return db.with(all).select().from(all);
    },
  },
  {
    name: "common table expression named as a table",
    body: ({ db }) => {
      const all = db.$with("customers").as(db.select().from(tickets));
      return db.with(all).select().from(all);
    },
    refused: /duplicate WITH table name/,
  },
  {
    name: "common table expression named as a foreign key's table",
    body: ({ db }) => {
      const fake = db.$with("customers").as(db.select({ id: tickets.id }).from(tickets));
      return db.with(fake).insert(tickets).values({ subject: "x", customerId: "cus_b" });
    },
    refused: /must be the id of an existing record|duplicate WITH/,
  },
  {
    name: "relational query",
    body: ({ db }) =>
      db.query.tickets.findMany({ where: (of, { eq }) => eq(of.organizationId, "org_b") }),
  },
  {
    name: "relational query down and up again",
    body: ({ db }) =>
      db.query.tickets.findMany({
        with: { customer: { with: { tickets: true } }, comments: true, notes: true },
      }),
  },
  {
    name: "relational query with a nested where",
    body: ({ db }) =>
      db.query.customers.findMany({
        with: {
          tickets: {
            where: (of, { or, isNotNull, eq }) =>
              or(isNotNull(of.id), eq(of.organizationId, "org_b")),
          },
        },
      }),
  },
  {
    name: "relational query with extras",
    body: ({ db }) =>
      db.query.tickets.findMany({
        extras: { all: sql<string>`(select group_concat(name) from customers)`.as("all") },
      }),
    refused: /Raw SQL/,
  },
  {
    name: "findFirst by a foreign id",
    body: ({ db }) => db.query.notes.findFirst({ where: eq(notes.id, "not_b") }),
  },
  {
    name: "a table that only looks like one of the project's",
    body: ({ db }) => db.select().from(lookalike).where(eq(lookalike.org, "org_b")),
  },
  { name: "accounts", body: ({ db }) => db.select().from(users), refused: /"auth_user"/ },
  { name: "audit rows", body: ({ db }) => db.select().from(audits), refused: /"audit_events"/ },
  {
    name: "SQLite's own catalogue",
    body: ({ db }) => db.select().from(catalogue),
    refused: /"sqlite_master"/,
  },
  {
    name: "a view of its own",
    body: ({ db }) => db.select().from(everyTicket),
    refused: /is no table of the project/,
  },
  {
    name: "prepared with a foreign id",
    body: ({ db }) =>
      db.select().from(tickets).where(eq(tickets.id, placeholder("id"))).prepare().all({
        id: "tic_b",
      }),
  },
  {
    name: "order by a foreign table",
    body: ({ db }) =>
      db.select({ id: tickets.id }).from(tickets).orderBy(asc(db.$count(customers))),
  },
  {
    name: "batch",
    body: ({ db }) => db.batch([db.select().from(tickets), db.query.customers.findMany()]),
  },
  {
    name: "inside a nested transaction",
    body: ({ db }) =>
      db.transaction((outer) => outer.transaction((inner) => inner.select().from(customers))),
  },
  {
    name: "aggregates over everybody",
    body: ({ db }) =>
      db.select({ n: count(), m: max(customers.email) }).from(customers)
        .groupBy(customers.organizationId),
  },
];

export const RAW_READS: readonly HostileBody[] = [
  {
    name: "raw SQL in where",
    body: ({ db }) => db.select().from(tickets).where(sql`1 = 1 or subject like '%'`),
    refused: /Raw SQL/,
  },
  {
    name: "raw SQL that names a table",
    body: ({ db }) =>
      db.select({ all: sql`(select group_concat(subject) from tickets)` }).from(tickets),
    refused: /Raw SQL/,
  },
  {
    name: "raw SQL of allowed words only",
    body: ({ db }) =>
      db.select({ n: sql`(select max(${customers.name}) from ${customers})` }).from(tickets),
  },
  {
    name: "sql.identifier for a table",
    body: ({ db }) =>
      db.select({
        n: sql`(select count(*) from ${sql.identifier("tickets")} where ${
          sql.identifier("organization_id")
        } = ${"org_b"})`,
      })
        .from(comments),
  },
  {
    name: "sql.identifier for the schema",
    body: ({ db }) =>
      db.select({
        n: sql`(select max("subject") from ${sql.identifier("main")}.${sql.identifier("tickets")})`,
      })
        .from(comments),
    refused: /"main\."/,
  },
  {
    name: "sql.raw as a source",
    body: ({ db }) => db.select({ s: sql`subject` }).from(sql.raw("main.tickets")),
    refused: /Raw SQL/,
  },
  {
    name: "db.all without leave",
    body: ({ db }) => db.all(sql`select * from tickets`),
    refused: /Raw SQL \(db\.all\)/,
  },
  {
    name: "db.get without leave",
    body: ({ db }) => db.get("select * from tickets"),
    refused: /Raw SQL \(db\.get\)/,
  },
  {
    name: "db.run without leave",
    body: ({ db }) => db.run(sql`delete from tickets`),
    refused: /Raw SQL \(db\.run\)/,
  },
  {
    name: "db.values inside a transaction without leave",
    body: ({ db }) => db.transaction((tx) => tx.values(sql`select * from tickets`)),
    refused: /Raw SQL \(db\.values\)/,
  },
  {
    name: "declared raw SQL, plain",
    options: RAW,
    body: ({ db }) => db.all("select * from tickets"),
  },
  {
    name: "declared raw SQL in every quoting",
    options: RAW,
    body: async ({ db }) => [
      await db.all('select * from "tickets"'),
      await db.all("select * from `TICKETS`"),
      await db.all("select * from [Tickets] as x, customers"),
      await db.all("select * from 'tickets'"),
      await db.all("select * from (tickets)"),
      await db.all("select * from tickets t, (select * from customers) c"),
      await db.all("values ((select group_concat(subject) from tickets))"),
      await db.all("with x as (select * from tickets) select * from x"),
    ],
  },
  {
    name: "declared raw SQL with the schema's name",
    options: RAW,
    body: ({ db }) => db.all("select * from main.tickets"),
    refused: /"main\."/,
  },
  {
    name: "declared raw SQL with the schema's name in quotes",
    options: RAW,
    body: ({ db }) => db.all(`select * from 'main' . "tickets"`),
    refused: /"main\."/,
  },
  {
    name: "declared raw SQL with another schema",
    options: RAW,
    body: ({ db }) => db.all("select temp.x.id from temp.tickets x"),
    refused: /"temp\."/,
  },
  {
    name: "declared raw SQL that hides the schema in a comment",
    options: RAW,
    body: ({ db }) => db.all("select * from main/**/.tickets"),
    refused: /comments/,
  },
  {
    name: "declared raw SQL over SQLite's own tables",
    options: RAW,
    body: ({ db }) => db.all("select * from pragma_table_info('tickets')"),
    refused: /"pragma_table_info"/,
  },
  {
    name: "declared raw SQL over statistics",
    options: RAW,
    body: ({ db }) => db.all("select * from sqlite_stat1"),
    refused: /"sqlite_stat1"/,
  },
  {
    name: "declared raw SQL over accounts",
    options: RAW,
    body: ({ db }) => db.all("select * from auth_session"),
    refused: /"auth_session"/,
  },
  {
    name: "declared raw SQL that redefines a table inside",
    options: RAW,
    body: ({ db }) =>
      db.all("select * from (with tickets as (select * from tickets) select * from tickets)"),
    refused: /circular reference/,
  },
  {
    name: "declared raw SQL with a numbered parameter",
    options: RAW,
    body: ({ db }) => db.all("select ?1"),
    refused: /numbered or named parameters/,
  },
  {
    name: "declared PRAGMA",
    options: RAW,
    body: ({ db }) => db.all("pragma table_info(tickets)"),
    refused: /begins with "pragma"/,
  },
  {
    name: "declared ATTACH",
    options: RAW,
    body: ({ db }) => db.run("attach 'x.db' as other"),
    refused: /begins with "attach"/,
  },
  {
    name: "declared DDL",
    options: RAW,
    body: ({ db }) => db.run("create view all_tickets as select * from tickets"),
    refused: /begins with "create"/,
  },
  {
    name: "declared COMMIT",
    options: RAW,
    body: ({ db }) => db.run("commit"),
    refused: /begins with "commit"/,
  },
  {
    name: "two declared statements in one",
    options: RAW,
    body: ({ db }) => db.run("select 1; delete from tickets"),
    refused: /second statement/,
  },
];

export const WRITES: readonly HostileBody[] = [
  { name: "update everything", body: ({ db }) => db.update(tickets).set({ subject: "X" }) },
  {
    name: "update a foreign id",
    body: async ({ db }) => {
      const rows = await db.update(tickets).set({ subject: "X" }).where(eq(tickets.id, "tic_b"))
        .returning();
      if (rows.length > 0) throw new Error("SECRET");
    },
  },
  {
    name: "update or everything",
    body: ({ db }) =>
      db.update(tickets).set({ subject: "X" }).where(
        or(eq(tickets.id, "x"), isNotNull(tickets.id)),
      ),
  },
  {
    name: "update moves a row to another tenant",
    body: ({ db }) => db.update(tickets).set({ organizationId: "org_b" }),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "update moves a row to another tenant by expression",
    body: ({ db }) => db.update(tickets).set({ organizationId: sql`${customers.id}` }),
    refused: /no such column|organizationId/,
  },
  {
    name: "update gives a note to another owner",
    body: ({ db }) => db.update(notes).set({ ownerId: "carl" }),
    refused: /"notes\.ownerId"/,
  },
  {
    name: "update changes an id",
    body: ({ db }) => db.update(tickets).set({ id: "tic_b" }).where(eq(tickets.id, "tic_a")),
    refused: /"tickets\.id"/,
  },
  {
    name: "update returns what a subquery sees",
    body: ({ db }) =>
      db.update(tickets).set({ priority: 1 }).returning({
        all: sql`(select max(${customers.name}) from ${customers})`,
      }),
  },
  {
    name: "update takes its value from another table",
    body: async ({ db }) => {
      await db.update(tickets).set({
        subject: sql`(${db.select({ m: max(customers.name) }).from(customers)})`,
      });
      return db.select().from(tickets);
    },
  },
  {
    name: "update … from",
    body: async ({ db }) => {
      await db.update(tickets).set({ subject: customers.name }).from(customers);
      return db.select().from(tickets);
    },
  },
  {
    name: "update … from an alias of the written table's name",
    body: ({ db }) => {
      const own = alias(customers, "tickets");
      return db.update(tickets).set({ subject: "X" }).from(own).where(isNotNull(own.id));
    },
    refused: /ambiguous/,
  },
  {
    name: "update … from a subquery of the written table's name",
    body: ({ db }) => {
      const own = db.select({ x: customers.name }).from(customers).as("tickets");
      return db.update(tickets).set({ subject: own.x }).from(own);
    },
  },
  {
    name: "update with limit",
    body: ({ db }) => db.update(tickets).set({ subject: "X" }).limit(1),
    refused: /LIMIT/,
  },
  {
    name: "update of a lookalike, which knows no tenant",
    body: ({ db }) =>
      db.update(lookalike).set({ subject: "X", org: "org_b" }).where(eq(lookalike.org, "org_b")),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "update of accounts",
    body: ({ db }) => db.update(users).set({ email: "x" }),
    refused: /"auth_user"/,
  },
  {
    name: "update of audit rows",
    body: ({ db }) => db.delete(audits),
    refused: /"audit_events"/,
  },
  { name: "delete everything", body: ({ db }) => db.delete(tickets) },
  {
    name: "delete a foreign id",
    body: async ({ db }) => {
      const gone = await db.delete(tickets).where(eq(tickets.id, "tic_b")).returning();
      if (gone.length > 0) throw new Error("SECRET");
    },
  },
  { name: "delete everybody's notes", body: ({ db }) => db.delete(notes) },
  {
    name: "delete by a subquery",
    body: ({ db }) =>
      db.delete(comments).where(
        inArray(comments.ticketId, db.select({ id: tickets.id }).from(tickets)),
      ),
  },
  {
    name: "delete returns what a subquery sees",
    body: ({ db }) =>
      db.delete(notes).returning({ n: sql`(select max(${customers.name}) from ${customers})` }),
  },
  {
    name: "insert into another tenant",
    body: ({ db }) => db.insert(tickets).values({ subject: "X", organizationId: "org_b" }),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "insert into another tenant by expression",
    body: ({ db }) => db.insert(tickets).values({ subject: "X", organizationId: sql`${"org_b"}` }),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "insert into another tenant by an expression in disguise",
    body: ({ db }) =>
      db.insert(tickets).values({ subject: "X", organizationId: sql`(${"org_b"})` }),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "insert into another tenant by a placeholder",
    body: ({ db }) =>
      db.insert(tickets).values({ subject: "X", organizationId: placeholder("o") }).prepare()
        .execute({ o: "org_b" }),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "insert a row among others for another tenant",
    body: ({ db }) =>
      db.insert(comments).values([{ body: "1" }, { body: "2", organizationId: "org_b" }]),
    refused: /"comments\.organizationId"/,
  },
  {
    name: "insert a note of another owner",
    body: ({ db }) => db.insert(notes).values({ title: "X", ownerId: "carl" }),
    refused: /"notes\.ownerId"/,
  },
  {
    name: "insert under a foreign id",
    body: ({ db }) => db.insert(tickets).values({ id: "tic_b", subject: "X" }),
    refused: /Constraint primaryKey/,
  },
  {
    name: "upsert over a foreign id",
    body: async ({ db }) => {
      const rows = await db.insert(tickets).values({ id: "tic_b", subject: "X" })
        .onConflictDoUpdate({ target: tickets.id, set: { subject: "X" } }).returning();
      if (rows.length > 0) throw new Error("SECRET");
    },
  },
  {
    name: "upsert over a foreign id, whatever the condition",
    body: ({ db }) =>
      db.insert(tickets).values({ id: "tic_b", subject: "X" }).onConflictDoUpdate({
        target: tickets.id,
        set: { subject: "X" },
        setWhere: sql`${isNotNull(tickets.id)} or ${eq(tickets.organizationId, "org_b")}`,
      }),
  },
  {
    name: "upsert that moves a row",
    body: ({ db }) =>
      db.insert(tickets).values({ id: "tic_a", subject: "X" }).onConflictDoUpdate({
        target: tickets.id,
        set: { organizationId: "org_b" },
      }),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "upsert over a soft-deleted row",
    body: ({ db }) =>
      db.insert(tickets).values({ id: "tic_gone", subject: "X" })
        .onConflictDoUpdate({ target: tickets.id, set: { subject: "X" } }),
  },
  {
    name: "upsert that learns a foreign row through its value",
    body: async ({ db }) =>
      await db.insert(tickets).values({ id: "tic_b", subject: "X" }).onConflictDoUpdate({
        target: tickets.id,
        set: { subject: tickets.subject },
      }).returning(),
  },
  {
    name: "insert … select of everybody's rows",
    body: async ({ db }) => {
      await db.insert(comments).select(
        db.select({ ...getTableColumns(comments), id: sql<string>`${comments.body}`.as("id") })
          .from(comments),
      );
      return db.select().from(comments);
    },
  },
  {
    name: "insert … select into another tenant",
    body: async ({ db }) => {
      await db.insert(comments).select(
        db.select({
          ...getTableColumns(comments),
          id: sql<string>`${comments.body}`.as("id"),
          organizationId: sql<string>`${"org_b"}`.as("o"),
        }).from(comments),
      );
    },
  },
  {
    name: "a foreign key to another tenant's row",
    body: ({ db }) => db.insert(tickets).values({ subject: "X", customerId: "cus_b" }),
    refused: /"customerId" must be the id of an existing record/,
  },
  {
    name: "a foreign key to a soft-deleted row",
    body: ({ db }) => db.insert(tickets).values({ subject: "X", customerId: "cus_gone" }),
    refused: /"customerId" must be/,
  },
  {
    name: "a foreign key to nothing",
    body: ({ db }) => db.update(comments).set({ ticketId: "nowhere" }),
    refused: /"ticketId" must be/,
  },
  {
    name: "a foreign key by expression",
    body: ({ db }) => db.update(tickets).set({ customerId: sql`coalesce(${"cus_b"}, ${""})` }),
    refused: /"customerId" must be/,
  },
  {
    name: "a foreign key in an upsert",
    body: ({ db }) =>
      db.insert(tickets).values({ id: "tic_a", subject: "X" }).onConflictDoUpdate({
        target: tickets.id,
        set: { customerId: "cus_b" },
      }),
    refused: /"customerId" must be/,
  },
  {
    name: "parentheses that close the condition",
    body: ({ db }) =>
      db.update(tickets).set({ subject: "X" }).where(
        sql`${tickets.id} is not null) or (${tickets.id} is not null`,
      ),
    refused: /closes a parenthesis/,
  },
  {
    name: "parentheses that close the condition, inside others",
    body: ({ db }) =>
      db.update(tickets).set({ subject: "X" }).where(
        and(isNotNull(tickets.id), sql`${tickets.id} is not null) or (${tickets.id} is not null`),
      ),
  },
  {
    name: "a value that assigns another column",
    options: RAW,
    body: ({ db }) => db.update(tickets).set({ subject: sql`'X', organization_id = 'org_b'` }),
    refused: /"tickets\.organizationId"/,
  },
  {
    name: "a value that ends the statement early",
    options: RAW,
    body: ({ db }) =>
      db.update(tickets).set({ subject: sql`'X' where 1 = 1 or 1 = 1` })
        .where(eq(tickets.id, "tic_a")),
    refused: /syntax error/,
  },
  {
    name: "a value that comments the condition out",
    options: RAW,
    body: ({ db }) => db.update(tickets).set({ subject: sql`'X' --` }),
    refused: /comments/,
  },
  {
    name: "a condition that returns",
    options: RAW,
    body: ({ db }) => db.update(tickets).set({ subject: "X" }).where(sql`1 returning *`),
  },
  {
    name: "a row that begins another",
    options: RAW,
    body: ({ db }) => db.insert(comments).values({ body: sql`'x'), ('com_x', 'org_b', null, 'X'` }),
    refused: /one value for each|closes|"comments\.organizationId"/,
  },
  {
    name: "SQL that says different things when it is asked twice",
    body: ({ db }) => db.update(tickets).set({ subject: "X" }).where(new Shifty([])),
    refused: /syntax error|Raw SQL|parenthesis|empty/,
  },
  {
    name: "declared raw update of everything",
    options: RAW,
    body: ({ db }) => db.run("update tickets set subject = 'X'"),
  },
  {
    name: "declared raw update of foreign rows",
    options: RAW,
    body: ({ db }) =>
      db.run("update tickets set subject = 'X' where organization_id = 'org_b' or 1 = 1"),
  },
  {
    name: "declared raw update under an alias",
    options: RAW,
    body: ({ db }) => db.run("update tickets as t set subject = 'X'"),
    refused: /stands where a write has SET/,
  },
  {
    name: "declared raw update of several columns at once",
    options: RAW,
    body: ({ db }) => db.run("update tickets set (subject, organization_id) = ('X', 'org_b')"),
    refused: /one column at a time/,
  },
  {
    name: "declared raw delete",
    options: RAW,
    body: ({ db }) => db.run("delete from notes where 1 = 1 or 1 = 1"),
  },
  {
    name: "declared raw insert into another tenant",
    options: RAW,
    body: ({ db }) =>
      db.run(
        "insert into comments (id, organization_id, body, created_at) values ('x', 'org_b', 'X', '')",
      ),
    refused: /"comments\.organizationId"|another|SECRET/,
  },
  {
    name: "declared INSERT OR REPLACE",
    options: RAW,
    body: ({ db }) => db.run("insert or replace into tickets (id, subject) values ('tic_b', 'X')"),
    refused: /conflict clauses/,
  },
  {
    name: "declared REPLACE",
    options: RAW,
    body: ({ db }) => db.run("replace into tickets (id, subject) values ('tic_b', 'X')"),
    refused: /begins with "replace"/,
  },
  {
    name: "declared UPDATE behind WITH",
    options: RAW,
    body: ({ db }) =>
      db.run("with x as (select 1) update tickets set subject = 'X' where 1 = 1 or 1 = 1"),
  },
  {
    name: "declared UPDATE behind a WITH within a WITH",
    options: RAW,
    body: ({ db }) =>
      db.run(
        "with x as (with y as (select 1) select * from y) update tickets set subject = 'X' where 1 = 1 or 1 = 1",
      ),
  },
  {
    name: "declared DELETE behind a WITH within a WITH",
    options: RAW,
    body: ({ db }) =>
      db.run("with x as (with y as (select 1) select * from y) delete from tickets where true"),
  },
];

/** The objects around a database. */
export const TRICKS: readonly HostileBody[] = [
  { name: "db.$client", body: ({ db }) => member(db, "$client"), refused: /"db\.\$client"/ },
  { name: "db.session", body: ({ db }) => member(db, "session"), refused: /"db\.session"/ },
  { name: "db.dialect", body: ({ db }) => member(db, "dialect"), refused: /"db\.dialect"/ },
  { name: "db._", body: ({ db }) => member(db, "_"), refused: /"db\._"/ },
  {
    name: "db.constructor",
    body: ({ db }) => member(db, "constructor"),
    refused: /"db\.constructor"/,
  },
  { name: "db.__proto__", body: ({ db }) => member(db, "__proto__"), refused: /"db\.__proto__"/ },
  {
    name: "the prototype of db",
    body: ({ db }) => Object.getPrototypeOf(db) === null ? [] : "SECRET",
  },
  {
    name: "db's own properties",
    body: ({ db }) =>
      Object.keys(db).length + Object.getOwnPropertyNames(db).length === 0 ? [] : "SECRET",
  },
  {
    name: "replacing db.select",
    body: ({ db }) => {
      Reflect.set(db, "select", () => "SECRET");
    },
    refused: /"db\.select" cannot be replaced/,
  },
  {
    name: "the session's own client, by a builder",
    body: ({ db }) =>
      call(
        member(db.select().from(tickets), "session"),
        "client",
        "select * from main.tickets",
        [],
        "all",
      ),
    refused: /Raw SQL|"main\."/,
  },
  {
    name: "the session's own client, for a write",
    body: ({ db }) =>
      call(member(db.update(tickets), "session"), "client", 'update "tickets" set "subject" = ?', [
        "X",
      ], "run"),
  },
  {
    name: "fewer values than parameters, so that later ones move up",
    body: ({ db }) =>
      call(
        member(db.update(tickets), "session"),
        "client",
        'update "tickets" set "subject" = ? where "id" = ? returning ?, ?',
        ["X", "tic_b", "org_b"],
        "all",
      ),
    refused: /one value to each/,
  },
  {
    name: "values that are no list",
    body: ({ db }) =>
      call(
        member(db.update(tickets), "session"),
        "client",
        'update "tickets" set "subject" = ?',
        { map: () => ["X", "org_b"], slice: () => ["org_b"], length: 1, 0: "X" },
        "run",
      ),
  },
  {
    name: "a prepared query with another text",
    body: ({ db }) => {
      const prepared = db.select().from(tickets).prepare();
      Reflect.set(member(prepared, "query"), "sql", 'select * from "main"."tickets"');
      return prepared.all();
    },
    refused: /"main\."/,
  },
  {
    name: "the session's transaction, by a builder",
    body: ({ db }) =>
      call(
        member(db.select().from(tickets), "session"),
        "transaction",
        (tx: unknown) => call(tx, "all", sql`select * from tickets`),
      ),
    refused: /Raw SQL \(db\.all\)/,
  },
  {
    name: "raw SQL by the session of a builder",
    body: ({ db }) =>
      call(
        member(db.select().from(tickets), "session"),
        "all",
        sql.raw("select * from main.tickets"),
      ),
    refused: /Raw SQL/,
  },
  {
    name: "a dialect that builds other SQL",
    body: ({ db }) => {
      const query = db.select().from(tickets);
      Reflect.set(member(query, "dialect"), "sqlToQuery", () => ({
        sql: 'select "id", "subject" from "main"."tickets"',
        params: [],
      }));
      return query.all();
    },
    refused: /"main\."/,
  },
  {
    name: "another table in the configuration of a query",
    body: ({ db }) => {
      const query = db.update(comments).set({ body: "X" });
      Reflect.set(member(query, "config"), "table", customers);
      return query.run();
    },
    refused: /syntax|has no column|stands|empty/,
  },
  {
    name: "a table with another name",
    body: async ({ db }) => {
      const disguised = new Proxy(tickets, {
        get: (target, name) =>
          name === Symbol.for("drizzle:Name") ? "customers" : Reflect.get(target, name),
      });
      return await db.update(disguised).set({ subject: "X" });
    },
    refused: /"customers" has no column "subject"/,
  },
  {
    name: "a name that leaves its quotes",
    body: ({ db }) =>
      db.select({
        n: sql`(select max("subject") from ${sql.identifier('x" from "main"."tickets')})`,
      })
        .from(comments),
    refused: /is no table of the project/,
  },
  {
    name: "a value that is no value",
    body: ({ db }) =>
      db.select().from(tickets).where(
        sql`${tickets.id} = ${{ toString: () => "tic_b" }}`,
      ),
    refused: /cannot be bound/,
  },
  {
    name: "savepoints by name",
    options: RAW,
    body: ({ db }) => db.run("rollback to nested_1"),
    refused: /begins with "rollback"/,
  },
  {
    name: "a scope of its own choice",
    body: ({ db }) => call(db, "scopeTo", { organizationId: "org_b" }),
    refused: /"db\.scopeTo"/,
  },
  {
    name: "a table inside of SQL as a source",
    body: ({ db }) => {
      const source: Table = tickets;
      return db.select({ all: sql`"subject"` }).from(sql`${source}`);
    },
  },
];
