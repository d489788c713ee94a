/**
 * What a careful team writes by hand for two of the example's resources, with Hono, drizzle and `@libsql/client`: token,
 * rate limit, role, typed query, tenant, soft deletion, label, mask and envelope, as the generated API has them.
 */
import { createClient } from "@libsql/client";
import { and, asc, desc, eq, isNull } from "drizzle-orm";
import { drizzle } from "drizzle-orm/libsql";
import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { jwtVerify } from "jose";
import { z } from "zod";
import { endlessLimiter, type Handler } from "./generated_api.ts";
import { AUTH_SECRET, BASE_URL, type Scenario } from "./scenario.ts";

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
  customerId: text("customer_id").notNull(),
  subject: text("subject").notNull(),
  description: text("description"),
  channel: text("channel").notNull(),
  priority: text("priority").notNull(),
  status: text("status").notNull(),
  assigneeId: text("assignee_id"),
  dueAt: text("due_at"),
  resolvedAt: text("resolved_at"),
  ...stamps,
});

const TICKET = {
  id: tickets.id,
  organizationId: tickets.organizationId,
  customerId: tickets.customerId,
  customer_label: customers.name,
  subject: tickets.subject,
  description: tickets.description,
  channel: tickets.channel,
  priority: tickets.priority,
  status: tickets.status,
  assigneeId: tickets.assigneeId,
  dueAt: tickets.dueAt,
  resolvedAt: tickets.resolvedAt,
  createdAt: tickets.createdAt,
  createdBy: tickets.createdBy,
  modifiedAt: tickets.modifiedAt,
  modifiedBy: tickets.modifiedBy,
  deletedAt: tickets.deletedAt,
  deletedBy: tickets.deletedBy,
};

const claims = z.object({
  sub: z.string(),
  orgId: z.string(),
  roles: z.array(z.string()),
});
type Claims = z.infer<typeof claims>;

const query = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  offset: z.coerce.number().int().min(0).default(0),
});

const AGENTS: readonly string[] = ["agent", "admin", "owner"];

export async function handWrittenApi({ path }: Scenario): Promise<Handler> {
  const db = drizzle(createClient({ url: `file:${path}` }));
  const key = await crypto.subtle.importKey(
    "raw",
    AUTH_SECRET.slice(),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );
  const limiter = endlessLimiter();

  async function callerOf(c: Context, resource: string): Promise<Claims> {
    const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
    if (scheme !== "Bearer" || !token) throw new HTTPException(401);
    const { payload } = await jwtVerify(token, key, {
      algorithms: ["HS256"],
      issuer: BASE_URL,
      audience: BASE_URL,
    });
    const caller = claims.parse(payload);
    if (!await limiter.take(`${resource}:read:${caller.sub}`, 1000, 60)) {
      throw new HTTPException(429);
    }
    if (!caller.roles.some((role) => AGENTS.includes(role))) throw new HTTPException(403);
    return caller;
  }

  const ofCustomer = (caller: Claims) =>
    and(
      eq(customers.id, tickets.customerId),
      eq(customers.organizationId, caller.orgId),
      isNull(customers.deletedAt),
    );

  const app = new Hono();
  app.get("/api/v1/tickets", async (c) => {
    const caller = await callerOf(c, "tickets");
    const { limit, offset } = query.parse(c.req.query());
    const rows = await db.select(TICKET).from(tickets).leftJoin(customers, ofCustomer(caller))
      .where(and(eq(tickets.organizationId, caller.orgId), isNull(tickets.deletedAt)))
      .orderBy(desc(tickets.createdAt), desc(tickets.id)).limit(limit + 1).offset(offset);
    return c.json(envelope(rows, { limit, offset }));
  });
  app.get("/api/v1/tickets/:id", async (c) => {
    const caller = await callerOf(c, "tickets");
    const [row] = await db.select(TICKET).from(tickets).leftJoin(customers, ofCustomer(caller))
      .where(and(
        eq(tickets.id, c.req.param("id")),
        eq(tickets.organizationId, caller.orgId),
        isNull(tickets.deletedAt),
      ));
    return row ? c.json(row) : c.json({ code: "FIREWALL_NOT_FOUND" }, 403);
  });
  app.get("/api/v1/customers", async (c) => {
    const caller = await callerOf(c, "customers");
    const { limit, offset } = query.parse(c.req.query());
    const rows = await db.select().from(customers)
      .where(and(eq(customers.organizationId, caller.orgId), isNull(customers.deletedAt)))
      .orderBy(asc(customers.name), asc(customers.id)).limit(limit + 1).offset(offset);
    const shown = rows.map((row) => ({
      ...row,
      email: maskedEmail(row.email),
      phone: row.createdBy === caller.sub || row.phone === null
        ? row.phone
        : maskedPhone(row.phone),
    }));
    return c.json(envelope(shown, { limit, offset }));
  });
  return async (request) => await app.fetch(request);
}

function envelope<T>(
  rows: readonly T[],
  page: { readonly limit: number; readonly offset: number },
) {
  const { limit, offset } = page;
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
    },
  };
}

function maskedEmail(email: string): string {
  const [, local, domain, top] = /^([^@])[^@]*@([^@])[^@]*\.([a-z]+)$/i.exec(email) ?? [];
  return local && domain && top ? `${local}***@${domain}***.${top}` : "***@***.***";
}

function maskedPhone(phone: string): string {
  const digits = phone.replace(/\D/g, "");
  return digits.length < 7 ? "***-***-****" : `***-***-${digits.slice(-4)}`;
}
