/** More handlers that reach for rows of others: through configuration, through prototypes, through what drizzle offers beside its builders. */
import {
  and,
  count,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  like,
  max,
  min,
  ne,
  notExists,
  notInArray,
  Placeholder,
  placeholder,
  sql,
  Subquery,
  WithSubquery,
} from "drizzle-orm";
import {
  alias,
  getTableConfig,
  intersect,
  QueryBuilder,
  SQLiteTable,
  sqliteTable,
  text,
  unionAll,
} from "drizzle-orm/sqlite-core";
import type { HostileBody } from "./hostile_bodies.ts";
import { comments, countries, customers, notes, teamTasks, tickets } from "./desk.ts";

/** Reaches a member that the types do not show. */
function member(of: unknown, name: string | symbol): object {
  return Object(Reflect.get(Object(of), name));
}

function call(of: unknown, name: string, ...args: readonly unknown[]): unknown {
  const method = member(of, name);
  if (typeof method !== "function") throw new TypeError(`No method "${name}"`);
  return Reflect.apply(method, of, args);
}

/** A table of the file itself, beside the scoped form of its name. */
const inMain = sqliteTable("main.tickets", { id: text("id"), subject: text("subject") });
const shouted = sqliteTable("TICKETS", { id: text("id"), subject: text("subject") });
const quoted = sqliteTable('tickets" as "t', { id: text("id"), subject: text("subject") });
const migrations = sqliteTable("__drizzle_migrations", { id: text("id"), hash: text("hash") });
const sequence = sqliteTable("sqlite_sequence", { name: text("name") });
const keys = sqliteTable("idempotency_keys", { id: text("id"), body: text("body") });

export const MORE_READS: readonly HostileBody[] = [
  {
    name: "a table named with its schema",
    body: ({ db }) => db.select().from(inMain),
    refused: /"main\.tickets" is no table/,
  },
  { name: "a table named in capitals", body: ({ db }) => db.select().from(shouted) },
  {
    name: "a table's name with an alias inside",
    body: ({ db }) => db.select().from(quoted),
    refused: /is no table of the project/,
  },
  {
    name: "the migrations",
    body: ({ db }) => db.select().from(migrations),
    refused: /"__drizzle_migrations"/,
  },
  {
    name: "SQLite's counters",
    body: ({ db }) => db.select().from(sequence),
    refused: /"sqlite_sequence"/,
  },
  {
    name: "kept answers",
    body: ({ db }) => db.select().from(keys),
    refused: /"idempotency_keys"/,
  },
  {
    name: "the configuration of a table, as a source",
    body: ({ db }) => {
      const { columns, name } = getTableConfig(tickets);
      const again = sqliteTable(
        name,
        Object.fromEntries(columns.map((column) => [column.name, text(column.name)])),
      );
      return db.select().from(again);
    },
  },
  {
    name: "a table whose schema is set behind its back",
    body: ({ db }) => {
      const far = sqliteTable("tickets", { id: text("id"), subject: text("subject") });
      Reflect.set(far, Symbol.for("drizzle:Schema"), "main");
      return db.select().from(far);
    },
    refused: /"main\."/,
  },
  {
    name: "a column of another table in the select list",
    body: ({ db }) => db.select({ id: tickets.id, name: customers.name }).from(tickets),
    refused: /not part of the query/,
  },
  {
    name: "columns of a foreign table under the own one's name",
    body: ({ db }) => db.select(getTableColumns(customers)).from(tickets),
    refused: /not part of the query/,
  },
  {
    name: "unionAll of four tables",
    body: ({ db }) =>
      unionAll(
        db.select({ t: tickets.subject }).from(tickets),
        db.select({ t: comments.body }).from(comments),
        db.select({ t: notes.title }).from(notes),
        db.select({ t: teamTasks.title }).from(teamTasks),
      ),
  },
  {
    name: "intersect tells what both sides have",
    body: ({ db }) =>
      intersect(
        db.select({ id: tickets.id }).from(tickets),
        db.select({ id: comments.id }).from(comments),
      ),
  },
  {
    name: "a subquery in a join, three deep",
    body: ({ db }) => {
      const inner = db.select({ id: customers.id, name: customers.name }).from(customers).as("i");
      const middle = db.select({ id: inner.id, name: inner.name }).from(inner).as("m");
      const outer = db.select({ id: middle.id, name: middle.name }).from(middle).as("o");
      return db.select().from(tickets).leftJoin(outer, isNotNull(outer.id));
    },
  },
  {
    name: "not exists over foreign rows",
    body: ({ db }) =>
      db.select().from(tickets).where(
        notExists(db.select().from(customers).where(eq(customers.organizationId, "org_a"))),
      ),
  },
  {
    name: "not in over foreign rows",
    body: ({ db }) =>
      db.select().from(tickets).where(
        notInArray(tickets.id, db.select({ id: notes.ticketId }).from(notes)),
      ),
  },
  {
    name: "group by and having over everybody",
    body: ({ db }) =>
      db.select({ org: tickets.organizationId, n: count(), top: max(tickets.subject) }).from(
        tickets,
      )
        .groupBy(tickets.organizationId).having(gt(count(), 0)),
  },
  {
    name: "distinct tenants",
    body: ({ db }) =>
      db.selectDistinct({ org: tickets.organizationId, s: tickets.subject }).from(tickets),
  },
  {
    name: "the smallest of what is hidden",
    body: ({ db }) =>
      db.select({ s: min(customers.email) }).from(customers).where(
        like(customers.email, "SECRET%"),
      ),
  },
  { name: "db.$count of a table", body: ({ db }) => db.$count(notes) },
  {
    name: "db.$count as a field of a relational query",
    body: ({ db }) => db.query.tickets.findMany({ extras: { n: db.$count(customers).as("n") } }),
  },
  {
    name: "a relational query whose where looks away",
    body: ({ db }) =>
      db.query.tickets.findMany({ where: () => sql`${1}`, with: { customer: true } }),
  },
  {
    name: "a relational query ordered by a subquery",
    body: ({ db }) => db.query.tickets.findMany({ orderBy: () => db.$count(customers) }),
  },
  {
    name: "a common table expression under two names",
    body: ({ db }) => {
      const one = db.$with("one").as(db.select().from(customers));
      const two = db.$with("two").as(db.select().from(one));
      return db.with(one, two).select().from(two);
    },
  },
  {
    name: "a common table expression named as the scoped one, in capitals",
    body: ({ db }) => {
      const mine = db.$with("TICKETS").as(db.select().from(customers));
      return db.with(mine).select().from(tickets);
    },
    refused: /duplicate WITH table name/,
  },
  {
    name: "a made-up subquery of raw text",
    body: ({ db }) =>
      db.select({ s: sql`"s"` }).from(
        new Subquery(sql`select subject as s from main.tickets`, {}, "x"),
      ),
    refused: /Raw SQL/,
  },
  {
    name: "a made-up common table expression of raw text",
    body: ({ db }) => {
      const made = new WithSubquery(sql.raw("select subject from main.tickets"), {}, "made", true);
      return call(call(call(db, "with", made), "select"), "from", made);
    },
    refused: /Raw SQL/,
  },
  {
    name: "a placeholder as a column",
    body: ({ db }) =>
      db.select().from(tickets).where(eq(tickets.organizationId, new Placeholder("org"))).prepare()
        .all({ org: "org_b" }),
  },
  {
    name: "a prepared query run with fewer values",
    body: ({ db }) =>
      db.select().from(tickets).where(eq(tickets.id, placeholder("id"))).prepare().all(),
    refused: /No value for placeholder/,
  },
  {
    name: "a query builder of its own, run by hand",
    body: ({ db }) => db.all(new QueryBuilder().select().from(tickets)),
    refused: /Raw SQL \(db\.all\)/,
  },
  {
    name: "a query builder of its own, run by hand with leave",
    options: { allowRawSql: true },
    body: ({ db }) => db.all(new QueryBuilder().select().from(tickets)),
  },
  {
    name: "an alias of an alias",
    body: ({ db }) => {
      const twice = alias(alias(customers, "a"), "b");
      return db.select().from(twice).where(ne(twice.organizationId, "org_a"));
    },
  },
  {
    name: "a self join that pairs tenants",
    body: ({ db }) => {
      const other = alias(tickets, "other");
      return db.select().from(tickets).innerJoin(
        other,
        ne(other.organizationId, tickets.organizationId),
      );
    },
  },
  {
    name: "a join whose condition is a subquery of another table",
    body: ({ db }) =>
      db.select().from(comments).leftJoin(
        notes,
        inArray(notes.ticketId, db.select({ id: tickets.id }).from(tickets)),
      ),
  },
  {
    name: "a table without a scope joined with everything",
    body: ({ db }) => db.select().from(countries).leftJoin(notes, isNotNull(notes.id)),
  },
];

export const MORE_WRITES: readonly HostileBody[] = [
  {
    name: "upsert whose target is another tenant's id, with a where of its own",
    body: ({ db }) =>
      db.insert(tickets).values({ id: "tic_b", subject: "X" }).onConflictDoUpdate({
        target: tickets.id,
        targetWhere: isNotNull(tickets.id),
        set: { subject: "X" },
        setWhere: sql`${tickets.id} is not null or ${tickets.id} = ${"tic_b"}`,
      }),
  },
  {
    name: "upsert that asks whether a foreign id is taken",
    body: async ({ db }) => {
      await db.insert(customers).values({ id: "cus_b", name: "X", email: "x@x" })
        .onConflictDoNothing();
      return db.select().from(customers);
    },
  },
  {
    name: "a subquery of another table in set",
    body: ({ db }) =>
      db.update(tickets).set({
        subject: sql`(${db.select({ s: max(customers.email) }).from(customers)})`,
      }).returning(),
  },
  {
    name: "update … from another tenant's rows by a join",
    body: ({ db }) =>
      db.update(tickets).set({ subject: sql`${customers.name}` }).from(customers)
        .where(and(isNotNull(customers.id), isNotNull(tickets.id))).returning({
          s: tickets.subject,
        }),
  },
  {
    name: "update … from, joined once more",
    body: ({ db }) =>
      db.update(tickets).set({ subject: sql`${notes.title}` }).from(customers)
        .leftJoin(notes, isNotNull(notes.id)).where(isNotNull(tickets.id)).returning(),
  },
  {
    name: "update with a with of its own",
    body: ({ db }) => {
      const all = db.$with("all_of_them").as(db.select({ id: tickets.id }).from(tickets));
      return db.with(all).update(tickets).set({ subject: "X" })
        .where(inArray(tickets.id, db.select({ id: all.id }).from(all)));
    },
  },
  {
    name: "delete with a with of its own",
    body: ({ db }) => {
      const all = db.$with("all_of_them").as(db.select({ id: notes.id }).from(notes));
      return db.with(all).delete(notes).where(
        inArray(notes.id, db.select({ id: all.id }).from(all)),
      );
    },
  },
  {
    name: "insert … select with a with of its own",
    body: ({ db }) => {
      const all = db.$with("all_of_them").as(
        db.select({ id: tickets.subject, title: tickets.subject }).from(tickets),
      );
      return call(call(call(db, "with", all), "insert", notes), "select", db.select().from(all));
    },
    refused: /selected fields are not the same/,
  },
  {
    name: "a nested transaction that keeps what the outer one takes back",
    body: async ({ db }) => {
      await db.transaction(async (outer) => {
        await outer.transaction((inner) => inner.update(tickets).set({ subject: "X" }));
        return outer.rollback();
      }).catch(() => null);
      return db.select({ s: tickets.subject }).from(tickets);
    },
  },
  {
    name: "the transaction's own session",
    body: ({ db }) => db.transaction((tx) => Promise.resolve(member(tx, "session"))),
    refused: /"db\.session"/,
  },
  {
    name: "a transaction's raw SQL without leave",
    body: ({ db }) => db.transaction((tx) => tx.run(sql`delete from tickets`)),
    refused: /Raw SQL \(db\.run\)/,
  },
  {
    name: "a batch of writes on foreign rows",
    body: ({ db }) =>
      db.batch([
        db.update(tickets).set({ subject: "X" }).where(eq(tickets.id, "tic_b")),
        db.delete(notes).where(eq(notes.id, "not_b")),
        db.update(teamTasks).set({ title: "X" }),
      ]),
  },
  {
    name: "a value that is another tenant's subquery in insert",
    body: ({ db }) =>
      db.insert(comments).values({
        body: sql`(${db.select({ s: max(tickets.subject) }).from(tickets)})`,
      }).returning(),
  },
  {
    name: "a stamp forged in insert",
    body: async ({ db }) => {
      const [row] = await db.insert(comments).values({
        body: "X",
        createdBy: "root",
        createdAt: "1999-01-01T00:00:00.000Z",
      }).returning();
      if (row?.createdBy !== "alice") throw new Error("forged");
      return row;
    },
  },
  {
    name: "a default function of its own",
    body: async ({ db }) => {
      const column = member(comments, "organizationId");
      const usual: unknown = Reflect.get(column, "defaultFn");
      Reflect.set(column, "defaultFn", () => "org_b");
      try {
        return await db.insert(comments).values({ body: "X" });
      } finally {
        Reflect.set(column, "defaultFn", usual);
      }
    },
    refused: /another organization/,
  },
];

export const MORE_TRICKS: readonly HostileBody[] = [
  {
    name: "the schema of the file, joined under another name",
    body: ({ db }) => db.all(sql`select m.name from tickets t join sqlite_master as m on 1 = 1`),
    refused: /"sqlite_master"/,
    options: { allowRawSql: true },
  },
  {
    name: "a conflict over columns of which only one is in a unique index",
    body: ({ db }) =>
      db.run(sql`insert into customers (id, name, email) values ('cus_x', 'Ann', 'x@example.com')
        on conflict (organization_id, name) do nothing`),
    refused: /does not match any PRIMARY KEY or UNIQUE constraint/,
    options: { allowRawSql: true },
  },
  {
    name: "a DO NOTHING with a condition",
    body: ({ db }) =>
      db.run(sql`insert into comments (id, body) values ('x', 'X') on conflict do nothing where 1`),
    refused: /DO NOTHING.*takes no condition/,
    options: { allowRawSql: true },
  },
  {
    name: "a value that goes on behind its end",
    body: ({ db }) =>
      db.run(
        sql`insert into tickets (id, customer_id, subject) values ('x', id from customers, 'X')`,
      ),
    refused: /no table of the project/,
    options: { allowRawSql: true },
  },
  {
    name: "a WITH before no statement",
    body: ({ db }) => db.run(sql`with a as (select 1)`),
    refused: /WITH.*leads to no statement/,
    options: { allowRawSql: true },
  },
  {
    name: "raw SQL by the database that knows none, in an action that may use it",
    body: ({ plainDb }) => call(plainDb(), "all", sql.raw("select * from tickets")),
    refused: /Raw SQL \(db\.all\)/,
    options: { allowRawSql: true },
  },
  {
    name: "an ON CONFLICT with other words before its DO",
    body: ({ db }) =>
      db.run(
        sql`insert into comments (id, body) values ('x', 'X') on conflict (id) and 1 do nothing`,
      ),
    refused: /ON CONFLICT.*lacks its DO/,
    options: { allowRawSql: true },
  },
  {
    name: "an expression among the columns of an insert",
    body: ({ db }) => db.run(sql`insert into comments (id, body || 'x') values ('x', 'X')`),
    refused: /must hold plain names/,
    options: { allowRawSql: true },
  },
  {
    name: "db._.session",
    body: ({ db }) => member(member(db, "_"), "session"),
    refused: /"db\._"/,
  },
  {
    name: "db.query's own _",
    body: ({ db }) => member(member(db, "query"), "_"),
  },
  {
    name: "the session behind a relational query",
    body: ({ db }) =>
      call(member(db.query.tickets, "session"), "all", sql.raw("select * from main.tickets")),
    refused: /Raw SQL/,
  },
  {
    name: "the tables behind a relational query, changed",
    body: ({ db }) => {
      const config = member(db.query.tickets, "tableConfig");
      return Reflect.get(config, "dbName") ?? null;
    },
  },
  {
    name: "Object.getPrototypeOf and its constructor",
    body: ({ db }) => {
      const walk: unknown[] = [];
      for (let at: unknown = db; at !== null && at !== undefined && walk.length < 9;) {
        walk.push(Object.getOwnPropertyNames(Object(at)));
        at = Object.getPrototypeOf(Object(at));
      }
      return walk;
    },
  },
  { name: "a spread of db", body: ({ db }) => Object.keys({ ...db }) },
  { name: "JSON of db", body: ({ db }) => JSON.stringify(db) },
  { name: "db as text", body: ({ db }) => `${db}`, refused: /"db\.toString"/ },
  {
    name: "Symbol.toPrimitive and iterators",
    body: ({ db }) => [Reflect.get(db, Symbol.iterator), Reflect.get(db, Symbol.toPrimitive)],
  },
  { name: "awaiting db", body: async ({ db }) => Reflect.ownKeys(Object(await db)) },
  {
    name: "structuredClone of db",
    body: ({ db }) => structuredClone(db),
    refused: /could not be cloned/,
  },
  {
    name: "a builder's session under another builder",
    body: ({ db }) => {
      const select = db.select().from(tickets);
      const other = db.select().from(customers);
      Reflect.set(other, "session", member(select, "session"));
      return other.all();
    },
  },
  {
    name: "a table's own is() answered by a lie",
    body: ({ db }) => {
      class Pretender extends SQLiteTable {}
      const pretender = Object.assign(Object.create(Pretender.prototype), tickets);
      return db.select({ s: tickets.subject }).from(pretender);
    },
  },
  {
    name: "replacing the name of a shared table and back",
    body: async ({ db }) => {
      const name = Symbol.for("drizzle:Name");
      const disguised = Object.create(customers, { [name]: { value: "tickets" } });
      return await db.select().from(disguised);
    },
    refused: /not part of the query/,
  },
  {
    name: "a parameter that is an object with toSQL",
    body: ({ db }) =>
      db.select().from(tickets).where(
        eq(tickets.id, Object.assign(Object("tic_b"), { toSQL: () => "x" })),
      ),
    refused: /cannot be bound/,
  },
  {
    name: "an identifier with a null byte",
    body: ({ db }) => db.select({ s: sql`${sql.identifier("subject\0")}` }).from(tickets),
    refused: /is no SQL/,
  },
];
