/**
 * The API of `bench/project` as a careful team writes it by hand with Hono, drizzle, zod, jose and `@libsql/client`: token,
 * rate limit, role, typed query and body, tenant, soft deletion, label, mask and envelope, as the generated API has them.
 */
import { createClient } from "@libsql/client";
import { and, asc, count, desc, eq, exists, inArray, isNull, type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { jwtVerify } from "jose";
import { z } from "zod";

const BASE_URL = Deno.env.get("BASE_URL") ?? "";

const stamps = {
  createdAt: text("created_at").notNull(),
  createdBy: text("created_by"),
  modifiedAt: text("modified_at"),
  modifiedBy: text("modified_by"),
  deletedAt: text("deleted_at"),
  deletedBy: text("deleted_by"),
};

const customers = sqliteTable("customers", {
  id: text("id").primaryKey(),
  organizationId: text("organization_id").notNull(),
  name: text("name").notNull(),
  company: text("company"),
  email: text("email").notNull(),
  phone: text("phone"),
  plan: text("plan").notNull(),
  ...stamps,
});

const tickets = sqliteTable("tickets", {
  id: text("id").primaryKey(),
  organizationId: text("organization_id").notNull(),
  subject: text("subject").notNull(),
  description: text("description"),
  channel: text("channel").notNull(),
  priority: text("priority").notNull(),
  status: text("status").notNull(),
  points: integer("points"),
  dueAt: text("due_at"),
  ...stamps,
});

const orders = sqliteTable("orders", {
  id: text("id").primaryKey(),
  organizationId: text("organization_id").notNull(),
  customerId: text("customer_id").notNull(),
  number: integer("number").notNull(),
  note: text("note"),
  ...stamps,
});

const { createdAt, createdBy, modifiedAt, modifiedBy, deletedAt, deletedBy } = orders;
const ORDER = {
  id: orders.id,
  organizationId: orders.organizationId,
  customerId: orders.customerId,
  customer_label: customers.name,
  number: orders.number,
  note: orders.note,
  ...{ createdAt, createdBy, modifiedAt, modifiedBy, deletedAt, deletedBy },
};

const claims = z.object({ sub: z.string(), orgId: z.string(), roles: z.array(z.string()) });
type Claims = z.infer<typeof claims>;

const PLANS = ["free", "team", "business"] as const;
const ofCustomer = z.strictObject({ customer: z.strictObject({ plan: z.enum(PLANS) }) });

const query = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  offset: z.coerce.number().int().min(0).default(0),
  status: z.enum(["open", "resolved"]).optional(),
  total: z.enum(["true", "false"]).default("false"),
  include: z.enum(["customerId", "orders"]).optional(),
  where: z.string().transform((text) => ofCustomer.parse(JSON.parse(text))).optional(),
});

const ticketBody = z.strictObject({
  subject: z.string().max(200),
  description: z.string().max(10_000).nullish(),
  channel: z.enum(["web", "email", "phone"]).default("web"),
  priority: z.enum(["low", "normal", "high"]).default("normal"),
  points: z.number().int().nullish(),
  dueAt: z.iso.datetime().nullish(),
});
const ticketPatch = ticketBody.omit({ channel: true }).partial();
const batchBody = z.strictObject({ records: z.array(ticketBody).min(1).max(100) });

const AGENTS: readonly string[] = ["agent", "admin", "owner"];
const LIMIT_PER_MINUTE = 1_000_000_000;

const db = drizzle(createClient({ url: `file:${Deno.env.get("DATABASE_FILE")}` }));
const key = await crypto.subtle.importKey(
  "raw",
  new TextEncoder().encode(Deno.env.get("AUTH_SECRET")),
  { name: "HMAC", hash: "SHA-256" },
  false,
  ["verify"],
);

/** Hits per caller and bucket in the present minute. */
const hits = new Map<string, { minute: number; count: number }>();

function isWithinLimit(bucket: string): boolean {
  const minute = Math.floor(Date.now() / 60_000);
  const known = hits.get(bucket);
  if (known?.minute === minute) return ++known.count <= LIMIT_PER_MINUTE;
  hits.set(bucket, { minute, count: 1 });
  return true;
}

async function callerOf(c: Context, bucket: string): Promise<Claims> {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme !== "Bearer" || !token) throw new HTTPException(401);
  const { payload } = await jwtVerify(token, key, {
    algorithms: ["HS256"],
    issuer: BASE_URL,
    audience: BASE_URL,
  });
  const caller = claims.parse(payload);
  if (!isWithinLimit(`${bucket}:${caller.sub}`)) throw new HTTPException(429);
  if (!caller.roles.some((role) => AGENTS.includes(role))) throw new HTTPException(403);
  return caller;
}

const app = new Hono();

app.get("/health", (c) => c.json({ status: "ok" }));

const liveTickets = (caller: Claims, ...more: readonly (SQL | undefined)[]) =>
  and(eq(tickets.organizationId, caller.orgId), isNull(tickets.deletedAt), ...more);

app.get("/api/v1/tickets", async (c) => {
  const caller = await callerOf(c, "tickets:read");
  const { limit, offset, status, total } = query.parse(c.req.query());
  const where = liveTickets(caller, status && eq(tickets.status, status));
  const rows = await db.select().from(tickets).where(where)
    .orderBy(desc(tickets.createdAt), desc(tickets.id)).limit(limit + 1).offset(offset);
  const counted = total === "true"
    ? (await db.select({ total: count() }).from(tickets).where(where))[0]?.total ?? 0
    : null;
  return c.json(envelope(rows, { limit, offset, total: counted }));
});

app.get("/api/v1/tickets/:id", async (c) => {
  const caller = await callerOf(c, "tickets:read");
  const [row] = await db.select().from(tickets)
    .where(liveTickets(caller, eq(tickets.id, c.req.param("id"))));
  return row ? c.json(row) : c.json({ code: "FIREWALL_NOT_FOUND" }, 403);
});

app.get("/api/v1/customers", async (c) => {
  const caller = await callerOf(c, "customers:read");
  const { limit, offset, include } = query.parse(c.req.query());
  const rows = await db.select().from(customers)
    .where(liveCustomer(caller))
    .orderBy(asc(customers.name), asc(customers.id)).limit(limit + 1).offset(offset);
  const shown = rows.map((row) => masked(row, caller));
  const page = envelope(shown, { limit, offset, total: null });
  if (!include) return c.json(page);
  const children = await db.select(ORDER).from(orders)
    .leftJoin(customers, liveCustomer(caller, eq(customers.id, orders.customerId)))
    .where(liveOrders(caller, inArray(orders.customerId, page.data.map(({ id }) => id))))
    .orderBy(desc(orders.createdAt), desc(orders.id));
  const byCustomer = Object.groupBy(children, ({ customerId }) => customerId);
  const included = Object.entries(byCustomer).map(([id, all = []]) =>
    [id, { data: all.slice(0, CHILDREN_MAX), hasMore: all.length > CHILDREN_MAX }] as const
  );
  return c.json({ ...page, included: { orders: Object.fromEntries(included) } });
});

const CHILDREN_MAX = 20;

const liveCustomer = (caller: Claims, ...more: readonly SQL[]) =>
  and(eq(customers.organizationId, caller.orgId), isNull(customers.deletedAt), ...more);
const liveOrders = (caller: Claims, ...more: readonly (SQL | undefined)[]) =>
  and(eq(orders.organizationId, caller.orgId), isNull(orders.deletedAt), ...more);

app.get("/api/v1/orders", async (c) => {
  const caller = await callerOf(c, "orders:read");
  const { limit, offset, include, where } = query.parse(c.req.query());
  const ofOrder = liveCustomer(caller, eq(customers.id, orders.customerId));
  const asked = where && exists(
    db.select({ one: sql`1` }).from(customers)
      .where(and(ofOrder, eq(customers.plan, where.customer.plan))),
  );
  const rows = await db.select(ORDER).from(orders).leftJoin(customers, ofOrder)
    .where(liveOrders(caller, asked))
    .orderBy(desc(orders.createdAt), desc(orders.id)).limit(limit + 1).offset(offset);
  const page = envelope(rows, { limit, offset, total: null });
  if (!include) return c.json(page);
  const ids = [...new Set(page.data.map(({ customerId }) => customerId))];
  const targets = await db.select().from(customers)
    .where(liveCustomer(caller, inArray(customers.id, ids)));
  const customerId = Object.fromEntries(targets.map((row) => [row.id, masked(row, caller)]));
  return c.json({ ...page, included: { customerId } });
});

const newTicket = (caller: Claims, body: z.infer<typeof ticketBody>) => ({
  ...body,
  id: `ticket_${crypto.randomUUID().replaceAll("-", "")}`,
  organizationId: caller.orgId,
  status: "open",
  createdAt: new Date().toISOString(),
  createdBy: caller.sub,
});

app.post("/api/v1/tickets", async (c) => {
  const caller = await callerOf(c, "tickets:create");
  const body = ticketBody.parse(await c.req.json());
  const [row] = await db.insert(tickets).values(newTicket(caller, body)).returning();
  return c.json(row, 201);
});

app.post("/api/v1/tickets/batch", async (c) => {
  const caller = await callerOf(c, "tickets:create");
  const { records } = batchBody.parse(await c.req.json());
  const rows = await db.insert(tickets).values(records.map((body) => newTicket(caller, body)))
    .returning();
  const meta = {
    total: rows.length,
    succeeded: rows.length,
    failed: 0,
    failFast: false,
    transactional: true,
  };
  return c.json({ success: rows, errors: [], meta }, 201);
});

const modified = (caller: Claims) => ({
  modifiedAt: new Date().toISOString(),
  modifiedBy: caller.sub,
});

app.patch("/api/v1/tickets/:id", async (c) => {
  const caller = await callerOf(c, "tickets:update");
  const one = liveTickets(caller, eq(tickets.id, c.req.param("id")));
  const [found] = await db.select({ id: tickets.id }).from(tickets).where(one);
  if (!found) return c.json({ code: "FIREWALL_NOT_FOUND" }, 403);
  const body = ticketPatch.parse(await c.req.json());
  const [row] = await db.update(tickets).set({ ...body, ...modified(caller) }).where(one)
    .returning();
  return row ? c.json(row) : c.json({ code: "FIREWALL_NOT_FOUND" }, 403);
});

app.delete("/api/v1/tickets/:id", async (c) => {
  const caller = await callerOf(c, "tickets:delete");
  const one = liveTickets(caller, eq(tickets.id, c.req.param("id")));
  const [found] = await db.select({ id: tickets.id }).from(tickets).where(one);
  if (!found) return c.json({ code: "FIREWALL_NOT_FOUND" }, 403);
  const { modifiedAt: deletedAt, modifiedBy: deletedBy } = modified(caller);
  await db.update(tickets).set({ ...modified(caller), deletedAt, deletedBy }).where(one);
  return c.json({ success: true });
});

const MOVES = { resolve: ["open", "resolved"], reopen: ["resolved", "open"] } as const;

app.post("/api/v1/tickets/:id/:action{resolve|reopen}", async (c) => {
  const caller = await callerOf(c, "tickets:action");
  const action = c.req.param("action");
  const [from, to] = MOVES[action === "resolve" ? "resolve" : "reopen"];
  z.strictObject({}).parse(await c.req.json());
  const one = liveTickets(caller, eq(tickets.id, c.req.param("id")));
  const [found] = await db.select().from(tickets).where(one);
  if (!found) return c.json({ code: "FIREWALL_NOT_FOUND" }, 403);
  if (found.status === to) return c.json({ success: true, status: to });
  const [row] = await db.update(tickets).set({ status: to, ...modified(caller) })
    .where(and(one, eq(tickets.status, from))).returning();
  return row
    ? c.json({ success: true, status: row.status })
    : c.json({ code: "TRANSITION_NOT_ALLOWED" }, 409);
});

function envelope<T>(rows: readonly T[], { limit, offset, total }: {
  readonly limit: number;
  readonly offset: number;
  /** Null: the request did not ask for it. */
  readonly total: number | null;
}) {
  const data = rows.slice(0, limit);
  return {
    data,
    view: null,
    pagination: {
      count: data.length,
      page: Math.floor(offset / limit) + 1,
      pageSize: limit,
      hasMore: rows.length > limit,
      nextCursor: null,
      prevCursor: null,
      ...(total === null ? {} : { total, totalPages: Math.ceil(total / limit) }),
    },
  };
}

function masked(row: typeof customers.$inferSelect, caller: Claims) {
  const isOwn = row.createdBy === caller.sub;
  const phone = isOwn || row.phone === null ? row.phone : maskedPhone(row.phone);
  return { ...row, email: maskedEmail(row.email), phone };
}

function maskedEmail(email: string): string {
  const [, local, domain, top] = /^([^@])[^@]*@([^@])[^@]*\.([a-z]+)$/i.exec(email) ?? [];
  return local && domain && top ? `${local}***@${domain}***.${top}` : "***@***.***";
}

function maskedPhone(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  return digits.length < 7 ? "***-***-****" : `***-***-${digits.slice(-4)}`;
}

Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen: () => {} },
  app.fetch,
);
