/** What every contender answers from: the helpdesk example's tables in one file, with rows of several tenants. */
import { join } from "node:path";
import { openDatabase, systemRandomness } from "../platform/mod.ts";
import { type RawFiles, validate } from "../shared/compiler/mod.ts";
import type { ProjectModel } from "../shared/model/project.ts";
import type { Database, SqlValue, Statement } from "../shared/runtime/ports.ts";
import { SignJWT } from "jose";
import { schemaOf } from "../tests/support/model_database.ts";

export const BASE_URL = "http://localhost:8000";
export const ORGANIZATION = "org_0";
export const AUTH_SECRET = systemRandomness.bytes(32);

const EXAMPLE = new URL("../examples/helpdesk/quickback", import.meta.url).pathname;
const ORGANIZATIONS = 4;
const CUSTOMERS = 200;
const TICKETS = 20_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);

export interface Scenario {
  readonly project: ProjectModel;
  readonly path: string;
  readonly database: Database;
  /** A ticket and its reader's token. */
  readonly ticketId: string;
  readonly token: string;
}

/** Compiles the example, creates its tables in `folder` and fills them. */
export async function prepareScenario(folder: string): Promise<Scenario> {
  const validation = validate(await filesOf(EXAMPLE, "quickback"));
  if (!validation.ok) throw new Error("The example does not compile");
  const path = join(folder, "bench.db");
  const database = await openDatabase({ url: `file:${path}` });
  await database.migrate(schemaOf(validation.model));
  await database.write((transaction) => transaction.runAll([...customers(), ...tickets()]));
  await database.migrate([{ sql: "ANALYZE", args: [] }]);
  const token = await tokenOfAgent();
  return { project: validation.model, path, database, ticketId: idOf("ticket", 400), token };
}

async function filesOf(folder: string, prefix: string): Promise<RawFiles> {
  const files: Record<string, string> = {};
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name);
    const name = `${prefix}/${entry.name}`;
    if (entry.isDirectory) Object.assign(files, await filesOf(path, name));
    else files[name] = await Deno.readTextFile(path);
  }
  return files;
}

function idOf(prefix: string, number: number): string {
  return `${prefix}_${number.toString(16).padStart(32, "0")}`;
}

function customers(): Statement[] {
  return Array.from({ length: CUSTOMERS }, (_, number) =>
    insertion("customers", {
      id: idOf("customer", number),
      organization_id: `org_${number % ORGANIZATIONS}`,
      name: `Customer ${number}`,
      company: `Company ${number % 17}`,
      email: `person${number}@example.com`,
      phone: `+1 555 ${String(1_000_000 + number)}`,
      plan: "team",
      ...stamps(number),
    }));
}

function tickets(): Statement[] {
  return Array.from({ length: TICKETS }, (_, number) =>
    insertion("tickets", {
      id: idOf("ticket", number),
      organization_id: `org_${number % ORGANIZATIONS}`,
      customer_id: idOf("customer", number % CUSTOMERS),
      subject: `Ticket ${number} cannot print "report" ${number}`,
      description: `It worked yesterday, ${"and the day before that, ".repeat(4)}really.`,
      channel: "web",
      priority: "normal",
      status: number % 3 === 0 ? "resolved" : "open",
      assignee_id: `user_${number % 9}`,
      due_at: timeOf(number + TICKETS),
      resolved_at: null,
      ...stamps(number),
    }));
}

function stamps(number: number): Readonly<Record<string, SqlValue>> {
  const at = timeOf(number);
  const by = `user_${number % 9}`;
  return { created_at: at, created_by: by, modified_at: at, modified_by: by };
}

function timeOf(number: number): string {
  return new Date(FIRST_DAY + number * 60_000).toISOString();
}

function insertion(table: string, values: Readonly<Record<string, SqlValue>>): Statement {
  const names = Object.keys(values);
  return {
    sql: `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`,
    args: Object.values(values),
  };
}

async function tokenOfAgent(): Promise<string> {
  return await new SignJWT({ orgId: ORGANIZATION, roles: ["agent"] })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setSubject("user_1")
    .setIssuer(BASE_URL)
    .setAudience(BASE_URL)
    .setJti("bench")
    .setIssuedAt()
    .setExpirationTime("1h")
    .sign(AUTH_SECRET);
}
