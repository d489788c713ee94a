/** Push messages where each organization has a database of its own (definitions 2, `tenancy`; definitions 7). */
import { assert, assertEquals } from "@std/assert";
import { createBackgroundWorker } from "../../shared/runtime/mod.ts";
import type { Reader } from "../../shared/runtime/ports.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { newBrowser, SUBSCRIPTIONS, withPush } from "../support/push.ts";
import { answered, dataOf, MEMBER } from "../support/webhooks.ts";

async function count(reader: Reader, table: string): Promise<number> {
  const { rows } = await reader.run({ sql: `SELECT count(*) FROM ${table}`, args: [] });
  return Number(rows[0]?.[0]);
}

const TELL = { payload: { title: "Hi" }, userIds: [MEMBER.sub] };

for (const driver of TENANT_DRIVERS) {
  Deno.test(`${driver.name}: a message stands beside its effect, its subscription in the directory, and any process sends it`, async () => {
    await withPush(async (api) => {
      const browser = await newBrowser();
      await api.subscribe(browser);
      assertEquals((await api.tell(TELL)).status, 200);
      const { database: directory, tenants, webhooks } = api.ports;
      assert(tenants && webhooks);
      const own = tenants.of("org_a", "never");
      assertEquals(await count(directory, "push_subscriptions"), 1);
      assertEquals(await count(own, "push_subscriptions"), 0);
      assertEquals(await count(directory, "push_messages"), 0);
      assertEquals(await count(own, "push_messages"), 1);
      const another = createBackgroundWorker(api.project, { ...api.ports, webhooks });
      while (await another.tick() > 0) await another.settled();
      const [call] = api.dialled;
      assert(call);
      assertEquals(await browser.opened(call), { title: "Hi" });
      assertEquals(await count(own, "push_messages"), 0);
    }, { driver });
  });

  Deno.test(`${driver.name}: a subscription that is over goes from the directory, whichever organization's message found it out`, async () => {
    await withPush(async (api) => {
      const [gone, alive] = [await newBrowser(), await newBrowser()];
      for (const browser of [gone, alive]) await api.subscribe(browser);
      api.answers(gone.subscription.endpoint, () => answered(410));
      await api.tell(TELL);
      await api.tell(TELL, { ...MEMBER, orgId: "org_b" });
      await api.work();
      const left = dataOf(await api.ask(SUBSCRIPTIONS, { as: MEMBER }));
      assertEquals(left.map(({ endpoint }) => endpoint), [alive.subscription.endpoint]);
      const { tenants } = api.ports;
      for (const id of ["org_a", "org_b"]) {
        const own = tenants?.of(id, "never");
        assertEquals(own && await count(own, "push_messages"), 0);
      }
      const sent = api.dialled.filter(({ url }) => url === alive.subscription.endpoint);
      assertEquals(sent.length, 2);
    }, { driver });
  });
}
