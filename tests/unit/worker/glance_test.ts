/** An idle worker whose database is a server: few requests, and nothing is late for it. */
import { assert, assertEquals } from "@std/assert";
import { type Database, emitEvent } from "../../../shared/runtime/mod.ts";
import { webhooksProject, type WebhooksUnderTest, withWebhooks } from "../../support/webhooks.ts";

interface Server {
  asked: number;
  /** Place of the newest commit that this process heard of. */
  place: number;
}

/** The database as a server's: it counts what it is asked, and commits have places. */
function asServer(server: Server): (database: Database) => Database {
  return (database) => ({
    ...database,
    positions: { last: () => String(server.place), listen: () => {}, restart: () => () => {} },
    run(statement) {
      server.asked += 1;
      return database.run(statement);
    },
    async write(body) {
      // BEGIN with the statements, and COMMIT.
      server.asked += 2;
      const value = await database.write(body);
      server.place += 1;
      return value;
    },
  });
}

async function workFor(api: WebhooksUnderTest, seconds: number): Promise<void> {
  for (let step = 0; step < seconds * 4; step++) {
    api.pass(250);
    while (await api.worker.tick() > 0) await api.worker.settled();
  }
}

Deno.test("an idle worker asks its server less than once a second", async () => {
  const server = { asked: 0, place: 1 };
  await withWebhooks(async (api) => {
    await workFor(api, 2);
    server.asked = 0;
    await workFor(api, 240);
    assert(server.asked <= 240, `${server.asked} requests in 240 seconds`);
  }, { wrap: asServer(server) });
});

Deno.test("what this process wrote is worked on at the next tick, what another one wrote soon", async () => {
  const server = { asked: 0, place: 1 };
  await withWebhooks(async (api) => {
    await api.register();
    await workFor(api, 5);
    const event = { type: "user.created", payload: 1, organizationId: "org_a" };
    const emit = () =>
      api.ports.database.write((transaction) => emitEvent(transaction, event, api.ports));
    await emit();
    await workFor(api, 0.25);
    assertEquals(api.dialled.length, 1);
    await workFor(api, 5);
    const { place } = server;
    await emit();
    // As it is where another process wrote it.
    server.place = place;
    await workFor(api, 1.5);
    assertEquals(api.dialled.length, 2);
  }, { wrap: asServer(server) });
});

Deno.test("an idle worker without outboxes asks for no queue, which such a project's server does not have", async () => {
  const server = { asked: 0, place: 1 };
  const webhooks = { ...webhooksProject.webhooks, outbound: false, inbound: [] };
  await withWebhooks(async (api) => {
    await workFor(api, 2);
    server.asked = 0;
    await workFor(api, 60);
    assert(server.asked > 0 && server.asked <= 60, `${server.asked} requests in 60 seconds`);
  }, { wrap: asServer(server), project: { webhooks } });
});
