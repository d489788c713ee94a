/** Contract 6.3, 8, 8.2 and definitions 7 ("push subscriptions"): who subscribes, and what is sent to whom. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { validate } from "../../shared/compiler/mod.ts";
import { memoryRateLimiter } from "../../library/platform/mod.ts";
import type { Answer, Claims } from "../support/api.ts";
import {
  newBrowser,
  PUSH_CONFIG,
  PUSH_FILES,
  type PushUnderTest,
  SUBSCRIPTIONS,
  vapidClaims,
  withPush,
} from "../support/push.ts";
import { answered, dataOf, MEMBER, STRANGER } from "../support/webhooks.ts";

const test = ofOneDatabase("it looks into one database for what stands in an organization's");

/** In the organization of `MEMBER`. */
const COLLEAGUE = { sub: "user_c", orgId: "org_a", roles: ["member"] };

async function join(api: PushUnderTest, { sub, orgId = "" }: Claims): Promise<void> {
  const now = "2026-01-01T00:00:00.000Z";
  const inserted = (table: string, row: Readonly<Record<string, string | number>>) => ({
    sql: `INSERT INTO ${table} (${Object.keys(row).join(", ")})
      VALUES (${Object.keys(row).map(() => "?").join(", ")}) ON CONFLICT DO NOTHING`,
    args: Object.values(row),
  });
  const dates = { created_at: now, updated_at: now };
  const user = { id: sub, name: sub, email: `${sub}@example.com`, email_verified: 0, ...dates };
  const member = { id: `m_${sub}`, organization_id: orgId, user_id: sub, role: "member" };
  await api.database.write((transaction) =>
    transaction.runAll([
      inserted("auth_user", user),
      inserted("auth_organization", { id: orgId, name: orgId, slug: orgId, created_at: now }),
      inserted("auth_member", { ...member, created_at: now }),
    ])
  );
}

async function messages({ database }: PushUnderTest): Promise<number> {
  const { rows } = await database.run({ sql: "SELECT count(*) FROM push_messages", args: [] });
  return Number(rows[0]?.[0]);
}

const TELL = { payload: { title: "Hi" }, userIds: [MEMBER.sub] };

Deno.test("a subscription is its owner's alone, who sees it whole", async () => {
  await withPush(async (api) => {
    const browser = await newBrowser();
    const made = await api.subscribe(browser);
    assertEquals(made.status, 201);
    const { endpoint, p256dh, auth, ownerId, id } = made.body;
    assertEquals({ endpoint, p256dh, auth }, browser.subscription);
    assertEquals(ownerId, MEMBER.sub);
    assertEquals(dataOf(await api.ask(SUBSCRIPTIONS, { as: MEMBER })).length, 1);
    assertEquals(dataOf(await api.ask(SUBSCRIPTIONS, { as: COLLEAGUE })), []);
    const foreign = { as: COLLEAGUE, method: "DELETE" };
    assertEquals(
      (await api.ask(`${SUBSCRIPTIONS}/${id}`, foreign)).body["code"],
      "FIREWALL_NOT_FOUND",
    );
    assertEquals((await api.ask(SUBSCRIPTIONS)).body["code"], "AUTH_MISSING");
    const own = await api.ask(`${SUBSCRIPTIONS}/${id}`, { as: MEMBER, method: "DELETE" });
    assertEquals(own.body, { success: true });
    assertEquals(dataOf(await api.ask(SUBSCRIPTIONS, { as: MEMBER })), []);
  });
});

Deno.test("a destination that is not public, and one that nobody knows of, is refused before anything is written", async () => {
  await withPush(async (api) => {
    const { subscription } = await newBrowser();
    api.resolves("inside.example.com", { addresses: ["8.8.8.8", "10.0.0.7"] });
    api.resolves("nowhere.example.com", { addresses: [], exists: false });
    api.resolves("unknown.example.com", { addresses: [], failure: "The resolver timed out" });
    const registered = (endpoint: string, headers = {}) =>
      api.ask(SUBSCRIPTIONS, { as: MEMBER, body: { ...subscription, endpoint }, headers });
    const told = ({ status, body: { code, pointer } }: Answer) => [status, code, pointer];
    const refused = [400, "VALIDATION_ERROR", "/endpoint"];
    const unknown = [503, "WEBHOOK_RESOLVER_UNAVAILABLE", undefined];
    for (const headers of [{}, { "idempotency-key": "k1" }]) {
      for (
        const [endpoint, expected] of [
          ["https://127.0.0.1/push", refused],
          ["https://[::1]/push", refused],
          ["https://localhost/push", refused],
          ["https://u:p@push.example.com/", refused],
          ["http://push.example.com/", refused],
          ["https://inside.example.com/", refused],
          ["https://nowhere.example.com/", refused],
          ["https://unknown.example.com/", unknown],
        ] as const
      ) {
        const keyed = Object.keys(headers).length === 0 ? {} : { "idempotency-key": endpoint };
        assertEquals(told(await registered(endpoint, keyed)), expected, endpoint);
      }
    }
    assertEquals(dataOf(await api.ask(SUBSCRIPTIONS, { as: MEMBER })), []);
    const keyed = { "idempotency-key": "good" };
    const good = await registered("https://push.example.com/good", keyed);
    assertEquals(good.status, 201);
    assertEquals((await registered("https://push.example.com/good", keyed)).text, good.text);
  });
});

Deno.test("a changeset and a batch cannot go around what registration asks", async () => {
  await withPush(async (api) => {
    const { subscription } = await newBrowser();
    const operations = [{ op: "create", resource: "pushSubscriptions", data: subscription }];
    const { status, body } = await api.ask("changeset", { as: MEMBER, body: { operations } });
    assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"]);
    const batch = await api.ask(`${SUBSCRIPTIONS}/batch`, {
      as: MEMBER,
      body: { records: [subscription] },
    });
    assertEquals(batch.status, 405);
    const { id } = (await api.subscribe(await newBrowser())).body;
    const removal = [{ op: "delete", resource: "push-subscriptions", id }];
    const removed = await api.ask("changeset", { as: MEMBER, body: { operations: removal } });
    assertEquals(removed.status, 200);
  });
});

Deno.test("the newest ten of a user stay, and of one endpoint the last", async () => {
  await withPush(async (api) => {
    await api.subscribe(await newBrowser("colleague"), COLLEAGUE);
    for (let at = 0; at < 12; at += 1) {
      assertEquals((await api.subscribe(await newBrowser(`n${at}`))).status, 201);
      if (at % 3 === 0) api.pass(1);
    }
    const left = async () =>
      dataOf(await api.ask(`${SUBSCRIPTIONS}?sort=endpoint`, { as: MEMBER }))
        .map(({ endpoint }) => String(endpoint).split("/").at(-1)).sort();
    const expected = ["n10", "n11", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"];
    assertEquals(await left(), expected);
    assertEquals((await api.subscribe(await newBrowser("n11"))).status, 201);
    assertEquals(await left(), expected);
    assertEquals(dataOf(await api.ask(SUBSCRIPTIONS, { as: COLLEAGUE })).length, 1);
  });
});

Deno.test("subscribing is limited to ten a minute", async () => {
  let now = 0;
  const limiter = memoryRateLimiter({ clock: { now: () => now } });
  await withPush(async (api) => {
    const statuses: number[] = [];
    for (let at = 0; at < 11; at += 1) {
      statuses.push((await api.subscribe(await newBrowser())).status);
    }
    assertEquals(statuses, [...Array(10).fill(201), 429]);
    assertEquals((await api.subscribe(await newBrowser(), COLLEAGUE)).status, 201);
    now += 60_001;
    assertEquals((await api.subscribe(await newBrowser())).status, 201);
  }, { limiter });
});

Deno.test("a message reaches each subscription of its users, sealed for it and signed by the sender", async () => {
  await withPush(async (api) => {
    const [phone, laptop, other] = [await newBrowser(), await newBrowser(), await newBrowser()];
    await api.subscribe(phone);
    await api.subscribe(laptop);
    await api.subscribe(other, COLLEAGUE);
    const asked = { ...TELL, ttl: 60, urgency: "high", topic: "news" };
    assertEquals((await api.tell(asked)).body, { told: true });
    assertEquals(api.dialled, []);
    api.pass(5000);
    await api.work();
    assertEquals(api.dialled.length, 2);
    for (const browser of [phone, laptop]) {
      const call = api.dialled.find(({ url }) => url === browser.subscription.endpoint);
      assert(call);
      assertEquals(await browser.opened(call), { title: "Hi" });
      await assertRejects(() => other.opened(call));
      const { authorization: _signed, ...headers } = call.headers;
      assertEquals(headers, {
        "content-encoding": "aes128gcm",
        "content-type": "application/octet-stream",
        ttl: "55",
        urgency: "high",
        topic: "news",
      });
      assertEquals(call.address, "8.8.8.8");
      const { claims, key } = await vapidClaims(call);
      assertEquals(key, api.keys.publicKey);
      assert(typeof claims === "object" && claims !== null && "aud" in claims && "sub" in claims);
      assertEquals([claims.aud, claims.sub], [
        "https://push.example.com",
        "https://api.example.com",
      ]);
    }
    assertEquals(await messages(api), 0);
    await api.work();
    assertEquals(api.dialled.length, 2);
  });
});

Deno.test("a message goes with the action that threw, and with a dry run", async () => {
  await withPush(async (api) => {
    await api.subscribe(await newBrowser());
    assertEquals((await api.tell({ ...TELL, fails: true })).status, 500);
    const rehearsed = await api.ask("notes/tell?dryRun=true", { as: MEMBER, body: TELL });
    assertEquals([rehearsed.status, rehearsed.headers.get("preference-applied")], [200, "dry-run"]);
    await api.work();
    assertEquals([api.dialled, await messages(api)], [[], 0]);
  });
});

Deno.test("a message reaches members of the caller's organization and no other user", async () => {
  await withPush(async (api) => {
    await join(api, COLLEAGUE);
    await join(api, STRANGER);
    const mine = await newBrowser();
    await api.subscribe(mine, COLLEAGUE);
    await api.subscribe(await newBrowser(), STRANGER);
    assertEquals((await api.tell({ ...TELL, userIds: [COLLEAGUE.sub] })).status, 200);
    for (const userIds of [[STRANGER.sub], [COLLEAGUE.sub, STRANGER.sub], ["user_nobody"]]) {
      const { status, body } = await api.tell({ ...TELL, userIds });
      assertEquals([status, body["code"]], [403, "FIREWALL_USER_ISOLATION"]);
    }
    await api.work();
    assertEquals(api.dialled.map(({ url }) => url), [mine.subscription.endpoint]);
  });
});

Deno.test("a subscription that its push service no longer knows, or whose keys are none, is removed", async () => {
  await withPush(async (api) => {
    const [gone, unknown, alive] = [await newBrowser(), await newBrowser(), await newBrowser()];
    for (const browser of [gone, unknown, alive]) await api.subscribe(browser);
    const endpoint = "https://push.example.com/broken";
    await api.ask(SUBSCRIPTIONS, {
      as: MEMBER,
      body: { endpoint, p256dh: "point", auth: "secret" },
    });
    api.answers(gone.subscription.endpoint, () => answered(410));
    api.answers(unknown.subscription.endpoint, () => answered(404));
    await api.tell(TELL);
    await api.tell(TELL);
    await api.work();
    const left = dataOf(await api.ask(SUBSCRIPTIONS, { as: MEMBER }));
    assertEquals(left.map(({ endpoint }) => endpoint), [alive.subscription.endpoint]);
    assertEquals(await messages(api), 0);
  });
});

test("a push service that fails is asked again, three times in all; one that refuses is not", async () => {
  await withPush(async (api) => {
    const [down, away, strict] = [await newBrowser(), await newBrowser(), await newBrowser()];
    for (const browser of [down, away, strict]) await api.subscribe(browser);
    api.answers(down.subscription.endpoint, () => answered(503));
    api.answers(away.subscription.endpoint, () => ({ kind: "failed", reason: "away" }));
    api.answers(strict.subscription.endpoint, () => answered(413));
    await api.tell(TELL);
    const calls = ({ subscription }: typeof down) =>
      api.dialled.filter(({ url }) => url === subscription.endpoint).length;
    for (let at = 0; at < 5; at += 1) {
      await api.work();
      api.pass(10_000);
    }
    assertEquals([calls(down), calls(away), calls(strict)], [3, 3, 1]);
    assertEquals(await messages(api), 0);
    assertEquals(dataOf(await api.ask(SUBSCRIPTIONS, { as: MEMBER })).length, 3);
    const dead = await api.ports.webhooks?.queue.dead("push-messages", 10);
    assertEquals(dead?.map(({ reason }) => reason).sort(), [
      "The push service answered 413",
      "The push service answered 503",
      "away",
    ]);
  });
});

Deno.test("a message outlives neither its time nor its subscription", async () => {
  await withPush(async (api) => {
    const [slow, left] = [await newBrowser(), await newBrowser()];
    await api.subscribe(slow);
    const { id } = (await api.subscribe(left)).body;
    api.answers(slow.subscription.endpoint, () => answered(503));
    await api.tell({ ...TELL, ttl: 1 });
    await api.ask(`${SUBSCRIPTIONS}/${id}`, { as: MEMBER, method: "DELETE" });
    await api.work();
    api.pass(10_000);
    await api.work();
    assertEquals(api.dialled.map(({ url }) => url), [slow.subscription.endpoint]);
    assertEquals(await messages(api), 0);
  });
});

Deno.test("a destination is judged again at every attempt", async () => {
  await withPush(async (api) => {
    const browser = await newBrowser();
    await api.subscribe(browser);
    api.resolves("push.example.com", { addresses: [], failure: "The resolver timed out" });
    await api.tell(TELL);
    await api.work();
    assertEquals(await messages(api), 1);
    api.resolves("push.example.com", { addresses: ["169.254.169.254"] });
    api.pass(10_000);
    await api.work();
    assertEquals([api.dialled, await messages(api)], [[], 0]);
  });
});

Deno.test("what a handler may not send is its mistake, and nothing is sent", async () => {
  await withPush(async (api) => {
    await api.subscribe(await newBrowser());
    for (
      const wrong of [
        { payload: { text: "x".repeat(4000) } },
        { ttl: -1 },
        { ttl: 1e9 },
        { topic: "not a topic" },
      ]
    ) {
      const { status, body } = await api.tell({ ...TELL, ...wrong });
      assertEquals([status, body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
    }
    assertEquals((await api.tell({ ...TELL, userIds: [] })).status, 200);
    assert(
      api.log.some(({ message }) => message === "A push message without users reaches nobody"),
    );
    assertEquals(await messages(api), 0);
  });
});

Deno.test("the description has the routes, and none of them where push is off", () => {
  const paths = (config: string) => {
    const validation = validate({ ...PUSH_FILES, "quickback/quickback.config.ts": config });
    assert(validation.ok);
    const { model, warnings } = validation;
    return [model.resources.map(({ name }) => name), warnings.map(({ code }) => code)];
  };
  assertEquals(paths(PUSH_CONFIG), [["notes", "pushSubscriptions"], []]);
  assertEquals(paths('export default { name: "news" };\n'), [["notes"], ["PUSH_OFF"]]);
});

Deno.test("nothing of an author's takes the name of the table, or its place", () => {
  const table = (name: string) =>
    `import { feature, q } from "quickback";\nexport default feature("${name}", { columns: { organizationId: q.scope("organization") } });\n`;
  for (
    const [path, name] of [
      ["notes/push.ts", "pushSubscriptions"],
      ["notes/push.ts", "push_subscriptions"],
      ["push-subscriptions/push-subscriptions.ts", "others"],
    ] as const
  ) {
    const files = { ...PUSH_FILES, [`quickback/features/${path}`]: table(name) };
    const validation = validate(files);
    assert(!validation.ok);
    assertEquals(validation.errors.map(({ code }) => code), ["TABLE_RESERVED"], `${path} ${name}`);
    const off = 'export default { name: "news" };\n';
    assert(validate({ ...files, "quickback/quickback.config.ts": off }).ok);
  }
});

Deno.test("workers of an edge platform cannot push, which the compiler says", () => {
  const config =
    'export default { name: "news", realtime: { push: true }, providers: { runtime: { name: "cloudflare" } } };\n';
  const validation = validate({ ...PUSH_FILES, "quickback/quickback.config.ts": config });
  assert(validation.ok);
  assertEquals(validation.model.resources.map(({ name }) => name), ["notes"]);
  const codes = validation.warnings.map(({ code }) => code);
  assertEquals([codes.includes("FEATURE_NOT_SERVED"), codes.includes("PUSH_OFF")], [true, true]);
});
