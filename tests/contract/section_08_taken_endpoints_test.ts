/** Webhook endpoints that a taking over ends, where each organization has a database of its own (definitions 2, `tenancy`). */
import { assert, assertEquals } from "@std/assert";
import { systemTimer } from "../../library/platform/mod.ts";
import {
  createBackgroundWorker,
  createSecretBox,
  databaseQueue,
  type DialRequest,
  emitEvent,
} from "../../shared/runtime/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { AUTH_SECRET } from "../support/api.ts";
import { TENANT_DRIVERS } from "../support/databases.ts";
import { dividedProject } from "../support/divided_database.ts";
import { linkIn, ok, type SignInBrowser, signInProject, withSignIn } from "../support/sign_in.ts";
import type { SignInScene } from "../support/sign_in.ts";
import { answered, dataOf, ENDPOINTS } from "../support/webhooks.ts";

const OWNER = "owner@example.com";
const LINKS = signInProject({ magicLink: true });
const PROJECT: ProjectModel = dividedProject({
  ...LINKS,
  webhooks: { ...LINKS.webhooks, outbound: true },
});

interface Planted extends SignInScene {
  readonly organizationId: string;
  readonly planted: SignInBrowser;
  /** URLs that were sent to. */
  readonly dialled: readonly string[];
  /** Tells the endpoints of the organization that something happened. */
  happen(): Promise<void>;
  /** Lets a worker that knows of nothing yet do all that is due. */
  work(): Promise<void>;
  /** Takes the account over by a magic link; gives its new session in the organization. */
  takeOver(): Promise<SignInBrowser>;
}

function withPlanted(
  driver: typeof TENANT_DRIVERS[number],
  body: (scene: Planted) => Promise<void>,
): Promise<void> {
  const dialled: string[] = [];
  const dialer = {
    post: ({ url }: DialRequest) => Promise.resolve((dialled.push(url), answered(200))),
  };
  const resolver = {
    resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
  };
  return withSignIn(PROJECT, async (scene) => {
    const { api, sent, browser } = scene;
    const { tenants, webhooks } = api.ports;
    assert(tenants && webhooks);
    const planted = browser();
    const account = { name: "owner", email: OWNER, password: "correct horse battery" };
    assertEquals((await planted.ask("/auth/v1/sign-up/email", account)).status, 200);
    const founded = await planted.ask("/auth/v1/organization/create", {
      name: "P",
      slug: "planted",
    });
    const organizationId = String(founded.body["id"]);
    await register(planted, "https://evil.example/in");
    await body({
      ...scene,
      organizationId,
      planted,
      dialled,
      async happen() {
        await tenants.of(organizationId, "never").write((transaction) =>
          emitEvent(transaction, { type: "thing.done", payload: {}, organizationId }, api.ports)
        );
      },
      async work() {
        const worker = createBackgroundWorker(PROJECT, {
          ...api.ports,
          webhooks,
          timer: systemTimer,
        });
        while (await worker.tick() > 0) await worker.settled();
      },
      async takeOver() {
        const owner = browser();
        ok(await owner.client.signIn.magicLink({ email: OWNER }));
        assertEquals((await owner.follow(linkIn(sent))).status, 200);
        const active = await owner.ask("/auth/v1/organization/set-active", { organizationId });
        assertEquals(active.status, 200, active.text);
        return owner;
      },
    });
  }, {
    driver,
    webhooks: (ports) => ({
      queue: databaseQueue(ports),
      secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
      resolver,
      dialer,
      env: {},
    }),
  });
}

async function register(as: SignInBrowser, url: string): Promise<void> {
  const answer = await as.ask(ENDPOINTS, { name: "Hook", url, events: ["*"] });
  assertEquals(answer.status, 201, answer.text);
}

async function enabledOf(as: SignInBrowser): Promise<readonly unknown[]> {
  return dataOf(await as.ask(ENDPOINTS)).map(({ url, enabled }) => [url, enabled]);
}

for (const driver of TENANT_DRIVERS) {
  Deno.test(`${driver.name}: endpoints of an account's own organization receive until it is taken over, and nothing after`, async () => {
    await withPlanted(driver, async ({ happen, work, takeOver, dialled }) => {
      await happen();
      await work();
      assertEquals(dialled, ["https://evil.example/in"]);
      // What waits already, and what comes before any worker has looked, is not sent.
      await happen();
      const owner = await takeOver();
      await happen();
      await work();
      assertEquals(dialled.length, 1);
      assertEquals(await enabledOf(owner), [["https://evil.example/in", false]]);
    });
  });

  Deno.test(`${driver.name}: an endpoint that the new owner makes before a worker has looked receives`, async () => {
    await withPlanted(driver, async ({ happen, work, takeOver, dialled }) => {
      const owner = await takeOver();
      assertEquals(await enabledOf(owner), [["https://evil.example/in", false]]);
      await register(owner, "https://owner.example/in");
      await happen();
      await work();
      assertEquals(dialled, ["https://owner.example/in"]);
    });
  });

  Deno.test(`${driver.name}: the end is kept until it is carried out, whatever a worker dies of`, async () => {
    await withPlanted(driver, async ({ api, work, takeOver, organizationId }) => {
      const { database, tenants, webhooks } = api.ports;
      assert(tenants && webhooks);
      const isMarked = async () => {
        const sql = `SELECT "endpoints_over" FROM "tenant_databases" WHERE "organization_id" = ?`;
        const { rows } = await database.run({ sql, args: [organizationId] });
        return rows[0]?.[0] !== null;
      };
      await takeOver();
      assert(await isMarked());
      // The organization's database is away: a worker's look fails, and nothing forgets the end.
      const away = { ...tenants, endEndpoints: () => Promise.reject(new Error("away")) };
      const failing = createBackgroundWorker(PROJECT, {
        ...api.ports,
        webhooks,
        tenants: away,
        timer: systemTimer,
      });
      await failing.tick();
      const [left] = await tenants.working("", 10);
      assert(left);
      await tenants.rest(left);
      assertEquals([await isMarked(), await tenants.working("", 10)], [true, [left]]);
      await work();
      assert(!await isMarked());
      const sql = `SELECT count(*) FROM "webhook_endpoints" WHERE "enabled" = 1`;
      const { rows } = await tenants.of(organizationId, "never").run({ sql, args: [] });
      assertEquals(rows, [[0]]);
    });
  });
}
