/** The compiled API to be measured, and one filled database that every contender starts from. */
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { SignJWT } from "jose";
import NativeDatabase from "libsql";
import { openDatabase } from "../../library/platform/mod.ts";
import type { Database } from "../../shared/runtime/ports.ts";

export const BASE_URL = "http://localhost:8000";
export const AUTH_SECRET = "bench-secret-of-more-than-thirty-two-bytes";
export const ORGANIZATION = "org_00";

const TENANTS = 20;
const ROWS = 20_000;
const CUSTOMERS = 2_000;
/** Additional tickets of the measured tenant, of which each delete removes one. */
export const DELETABLE = 100_000;

const ROOT = fileURLToPath(new URL("..", import.meta.url));

export interface World {
  readonly folder: string;
  /** Folder of the compiled API. */
  readonly output: string;
  /** A closed database file. Copy it, and never open it. */
  readonly database: string;
  readonly token: string;
}

/** Compiles the project of `tools/bench/project`, migrates and fills a database, calls the body, and removes everything. */
export async function withWorld(body: (world: World) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "quickback-bench-" });
  try {
    await body(await prepared(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function prepared(folder: string): Promise<World> {
  const output = join(folder, "api");
  const project = join(ROOT, "bench", "project");
  await run(["run", "-A", join(ROOT, "cli", "main.ts"), "compile", project, "--out", output], ROOT);
  const path = join(folder, "filled.db");
  await filled(output, `file:${path}`);
  // A copy contains only the file. There is no `ANALYZE`, because real databases have none.
  const native = new NativeDatabase(path);
  native.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  native.close();
  return {
    folder,
    output,
    database: path,
    token: await tokenOf({ subject: "user_1", organization: ORGANIZATION, role: "agent" }),
  };
}

/** Migrates and fills an empty database. */
export async function filled(output: string, url: string): Promise<void> {
  const env = { DATABASE_URL: url, AUTH_SECRET };
  await run(["run", "-A", join(output, "src", "migrate.ts")], output, env);
  const database = await openDatabase({ url });
  await fill(database);
  await database.close();
}

/** Makes a copy for one contender, which may write to it. */
export async function copyOf({ database }: World, path: string): Promise<string> {
  await Deno.copyFile(database, path);
  return path;
}

async function run(args: string[], cwd: string, env: Record<string, string> = {}): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd,
    env: { ...env, NO_COLOR: "1" },
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`deno ${args.join(" ")}\n${new TextDecoder().decode(stderr)}`);
}

/** SQL that yields numbers from 0. SQLite makes a million rows in seconds. */
const NUMBERS = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ? - 1)";
const STAMPS = "strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + i * 60, 'unixepoch'), " +
  "printf('user_%d', i % 9)";
const TICKET =
  "organization_id, subject, description, channel, priority, status, points, due_at, " +
  "created_at, created_by";
const TICKET_VALUES = "printf('Ticket %d cannot print \"report\"', i), " +
  "'It worked yesterday, and the day before that, and the day before that, really.', " +
  "'web', 'normal', iif(i % 3 = 0, 'resolved', 'open'), i % 13, " +
  `'2026-09-01T12:00:00.000Z', ${STAMPS}`;

async function fill(database: Database): Promise<void> {
  const tenant = `printf('org_%02d', i % ${TENANTS})`;
  const statements: readonly (readonly [string, number])[] = [
    [
      "INSERT INTO customers (id, organization_id, name, company, email, phone, plan, created_at, " +
      `created_by) SELECT printf('customer_%032x', i), ${tenant}, printf('Customer %05d', i), ` +
      "printf('Company %d', i % 17), printf('person%d@example.com', i), " +
      `printf('+1 555 %d', 1000000 + i), iif(i % 3 = 0, 'team', 'free'), ${STAMPS} FROM n`,
      CUSTOMERS,
    ],
    [
      `INSERT INTO tickets (id, ${TICKET}) SELECT printf('ticket_%032x', i), ${tenant}, ` +
      `${TICKET_VALUES} FROM n`,
      ROWS,
    ],
    [
      "INSERT INTO orders (id, organization_id, customer_id, number, note, created_at, created_by) " +
      `SELECT printf('order_%032x', i), ${tenant}, printf('customer_%032x', i % ${CUSTOMERS}), i, ` +
      `'As agreed', ${STAMPS} FROM n`,
      ROWS,
    ],
  ];
  await database.write(async (transaction) => {
    for (const [sql, count] of statements) {
      await transaction.run({ sql: `${NUMBERS} ${sql}`, args: [count] });
    }
  });
}

/** Adds tickets of the measured tenant that are older than all others, for deep pages and for deletes. */
export async function addTickets(path: string, prefix: string, count: number): Promise<void> {
  const database = await openDatabase({ url: `file:${path}` });
  const values = TICKET_VALUES.replace("1767225600 + i * 60", "1735689600 - i");
  await database.write((transaction) =>
    transaction.run({
      sql: `${NUMBERS} INSERT INTO tickets (id, ${TICKET}) SELECT printf('${prefix}_%032x', i), ` +
        `'${ORGANIZATION}', ${values} FROM n`,
      args: [count],
    })
  );
  await database.migrate([{ sql: "ANALYZE", args: [] }]);
  await database.close();
}

/** Returns the id of the measured tenant's row with this number. */
export function idOf(prefix: string, number: number): string {
  return `${prefix}_${(number * TENANTS).toString(16).padStart(32, "0")}`;
}

export async function tokenOf({ subject, organization, role }: {
  readonly subject: string;
  readonly organization: string;
  readonly role: string;
}): Promise<string> {
  return await new SignJWT({ orgId: organization, roles: [role] })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject(subject)
    .setIssuer(BASE_URL)
    .setAudience(BASE_URL)
    .setJti("bench")
    .setIssuedAt()
    .setExpirationTime("12h")
    .sign(new TextEncoder().encode(AUTH_SECRET));
}
