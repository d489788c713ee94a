/**
 * A database that is locked, full or no longer the file that was opened (contract 7, definitions 7 "busy or full database"): one
 * code with `Retry-After` from every kind of route, nothing acknowledged that is not kept, and reads that go on where they can.
 * That every single operation declares and gives this answer, section_09_03_witnesses_test.ts drives.
 */
import NativeDatabase from "libsql";
import { Webhook } from "standardwebhooks";
import { assertEquals } from "@std/assert";
import { openDatabase } from "../../library/platform/mod.ts";
import { type Database, DatabaseUnavailableError, memoryPubSub } from "../../shared/runtime/mod.ts";
import { signedUp, type Visitor, withAccountsApi } from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, type Ask, START } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import type { DriverUnderTest } from "../support/databases.ts";
import { ADA } from "../support/helpdesk_requests.ts";
import { manualTimer } from "../support/realtime.ts";
import { projectFiles } from "../support/sample_files.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { withWebhooks } from "../support/webhooks.ts";

const HELPDESK = await projectFiles(new URL("../../examples/helpdesk/", import.meta.url));

interface World {
  readonly api: ApiUnderTest;
  readonly path: string;
  readonly visitor: Visitor;
}

/** The helpdesk over a file of its own, with one account; it waits for no lock. */
function withHelpdesk(body: (world: World) => Promise<void>): Promise<void> {
  return withTempFolder(async (folder) => {
    const path = `${folder}/app.db`;
    const driver: DriverUnderTest = {
      name: "embedded",
      async with(use) {
        const database = await openDatabase({ url: `file:${path}`, busyTimeout: 0 });
        try {
          return await use(database, null);
        } finally {
          await database.close();
        }
      },
    };
    await withCompiled(HELPDESK, ({ model, code }) =>
      withAccountsApi(
        async (api) => await body({ api, path, visitor: await signedUp(api, "ada") }),
        {
          project: { ...model, changeset: true },
          code,
          driver,
          realtime: ({ clock }) => ({ pubSub: memoryPubSub(clock), timer: manualTimer(clock) }),
        },
      ));
  });
}

type Try = (world: World) => Promise<Answer>;

/** Longer than a page of the file. */
const article = (slug: string) => ({
  title: slug,
  slug,
  body: slug.repeat(9000),
  published: true,
});

const RECORD_WRITES: Readonly<Record<string, Try>> = {
  "a create": ({ api }) => api.ask("articles", { as: ADA, body: article("a") }),
  "a keyed create": ({ api }) =>
    api.ask("articles", { as: ADA, body: article("b"), headers: { "idempotency-key": "one" } }),
  "a batch": ({ api }) =>
    api.ask("articles/batch", { as: ADA, body: { records: [article("c"), article("d")] } }),
  "a changeset": ({ api }) => {
    const operations = [{ op: "create", resource: "articles", data: article("e") }];
    return api.ask("changeset", { as: ADA, body: { operations } });
  },
};

/** One route of each kind that writes. */
const WRITES: Readonly<Record<string, Try>> = {
  ...RECORD_WRITES,
  "an action of several records": ({ api }) =>
    api.ask("tickets/batch/resolve", { as: ADA, body: { ids: ["tkt_none"] } }),
  "a sign-up": ({ api }) =>
    api.ask("/auth/v1/sign-up/email", {
      body: { name: "Bob", email: "bob@example.com", password: "correct horse battery" },
    }),
  "a sign-in": ({ api }) =>
    api.ask("/auth/v1/sign-in/email", {
      body: { email: "ada@example.com", password: "correct horse battery" },
    }),
  "a new organization": ({ visitor }) =>
    visitor.ask("/auth/v1/organization/create", { name: "Acme", slug: "acme" }),
  "a new API key": ({ visitor }) => visitor.ask("/auth/v1/api-key/create", { name: "ci" }),
  "a sign-out": ({ visitor }) => visitor.ask("/auth/v1/sign-out", {}),
};

const READS: Readonly<Record<string, Try>> = {
  "a list": ({ api }) => api.ask("articles", { as: ADA }),
  "a session": ({ visitor }) => visitor.ask("/auth/v1/get-session"),
};

const OUT = [503, "DATABASE_UNAVAILABLE", "database"] as const;

async function assertOut(tries: Readonly<Record<string, Try>>, world: World, seconds: string) {
  const outcomes: Record<string, unknown> = {};
  for (const [name, attempt] of Object.entries(tries)) {
    const { status, headers, body } = await attempt(world);
    outcomes[name] = [status, body["code"], body["layer"], headers.get("retry-after")];
  }
  const expected = Object.keys(tries).map((name) => [name, [...OUT, seconds]]);
  assertEquals(outcomes, Object.fromEntries(expected));
}

async function assertDone(tries: Readonly<Record<string, Try>>, world: World) {
  const statuses: Record<string, number> = {};
  for (const [name, attempt] of Object.entries(tries)) {
    const { status } = await attempt(world);
    if (status >= 300) statuses[name] = status;
  }
  assertEquals(statuses, {});
}

const health: Try = ({ api }) => api.ask("/health");

async function articlesOf({ api }: World): Promise<number> {
  const { body } = await api.ask("articles?limit=1&total=true", { as: ADA });
  return Number(JSON.parse(JSON.stringify(body))["pagination"]["total"]);
}

Deno.test("every write beside another process's lock is 503 with Retry-After, and nothing of it is kept", () =>
  withHelpdesk(async (world) => {
    const other = new NativeDatabase(world.path);
    other.exec("BEGIN IMMEDIATE");
    await assertOut(WRITES, world, "1");
    await assertDone(READS, world);
    assertEquals((await health(world)).status, 200);
    assertEquals(await articlesOf(world), 0);
    other.exec("ROLLBACK");
    other.close();
    await assertDone(WRITES, world);
    assertEquals(await articlesOf(world), 5);
  }));

Deno.test("records that meet a full disk are 503 with Retry-After: 30, one by one and together, and reads go on", () =>
  withHelpdesk(async (world) => {
    const { api } = world;
    const full = {
      ...world,
      api: { ...api, ask: (path: string, ask?: Ask) => filled(api, path, ask) },
    };
    await assertOut(RECORD_WRITES, full, "30");
    await assertDone(READS, world);
    assertEquals((await health(world)).status, 200);
    assertEquals(await articlesOf(world), 0);
    await assertDone(RECORD_WRITES, world);
    assertEquals(await articlesOf(world), 5);
  }));

/** Asks while the writing connection may not add a page to its file; its failure replaces it. */
async function filled(api: ApiUnderTest, path: string, ask?: Ask): Promise<Answer> {
  const { database } = api;
  const pages = (await database.run({ sql: "PRAGMA page_count", args: [] })).rows[0]?.[0];
  const limit = { sql: `PRAGMA max_page_count = ${pages}`, args: [] };
  await database.write((transaction) => transaction.run(limit));
  return await api.ask(path, ask);
}

for (
  const [what, move, back] of [
    ["renamed", (path: string) => Deno.renameSync(path, `${path}.old`), true],
    ["removed", (path: string) => Deno.removeSync(path), false],
    ["replaced", (path: string) => {
      Deno.copyFileSync(path, `${path}.copy`);
      Deno.renameSync(`${path}.copy`, path);
    }, false],
    ["parted from its log", (path: string) => Deno.removeSync(`${path}-wal`), false],
  ] as const
) {
  Deno.test(`a database file that is ${what} under the process: 503 for writes and reads, and no health`, () =>
    withHelpdesk(async (world) => {
      await assertDone(RECORD_WRITES, world);
      move(world.path);
      await assertOut(WRITES, world, "30");
      await assertOut(READS, world, "30");
      const { status, body } = await health(world);
      assertEquals([status, body["database"]], [503, { mode: "file", reachable: false }]);
      if (!back) return;
      Deno.renameSync(`${world.path}.old`, world.path);
      await assertDone(READS, world);
      assertEquals(await articlesOf(world), 5);
    }));
}

Deno.test("a provider's webhook that cannot be stored is 503 with Retry-After, so that it is sent again", async () => {
  let isOut = true;
  const wrap = (database: Database): Database => ({
    ...database,
    async write(body) {
      if (isOut) throw new DatabaseUnavailableError("Locked", 1);
      return await database.write(body);
    },
  });
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=";
  const payload = JSON.stringify({ type: "paid", data: {} });
  const send = async (api: Pick<ApiUnderTest, "ask">) =>
    await api.ask("/webhooks/v1/inbound/standard", {
      method: "POST",
      body: payload,
      headers: {
        "webhook-id": "msg_1",
        "webhook-timestamp": String(Math.floor(START / 1000)),
        "webhook-signature": new Webhook(secret).sign("msg_1", new Date(START), payload),
      },
    });
  await withWebhooks(async (api) => {
    const { status, headers, body } = await send(api);
    assertEquals([status, body["code"], body["layer"], headers.get("retry-after")], [...OUT, "1"]);
    isOut = false;
    assertEquals((await send(api)).body, { received: true, duplicate: false });
  }, { wrap, env: { STANDARD_WEBHOOK_SECRET: secret } });
});
