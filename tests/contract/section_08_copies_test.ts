/** Two instances with copies of one server's database: what one writes the other knows, in time (definitions 7, 8). */
import { assert, assertEquals } from "@std/assert";
import { createClient } from "../../library/client/mod.ts";
import { openDatabase, openDatabaseCopy } from "../../library/platform/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { DatabaseCopy } from "../../shared/runtime/ports.ts";
import { createPositionCarrier } from "../../shared/runtime/request/positions.ts";
import {
  admin,
  helpdesk,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import { type Answer, type ApiUnderTest, BASE_URL, tokenFor } from "../support/api.ts";
import { changedResource } from "../support/changed_resource.ts";
import type { DriverUnderTest } from "../support/databases.ts";
import { sqld, type SqldUnderTest, withSqld } from "../support/sqld.ts";
import { withTempFolder } from "../support/temp_folder.ts";
import { until } from "../support/until.ts";

interface Projects {
  readonly contract: "v1";
  readonly code: string;
  readonly auth: object;
  readonly resources: {
    readonly projects: {
      readonly id: string;
      readonly create: {
        readonly body: { readonly name: string };
        readonly answer: { readonly id: string };
      };
      readonly get: { readonly query: object; readonly answer: { readonly id: string } };
    };
  };
  readonly actions: object;
  readonly changeset: never;
  readonly frames: object;
}

const program = await sqld();
const PATIENCE_MS = 120_000;
const { jwt } = helpdesk.auth;
const project: ProjectModel = changedResource(
  { ...helpdesk, auth: { ...helpdesk.auth, jwt: jwt && { ...jwt, revocationCheck: true } } },
  "projects",
  (resource) => ({
    ...resource,
    read: resource.read && {
      ...resource.read,
      access: { kind: "roles", roles: ["member", "admin", "PUBLIC"] },
    },
  }),
);

interface Instance {
  readonly api: ApiUnderTest;
  readonly copy: DatabaseCopy;
  /** Lets the copy grow older. */
  pass(milliseconds: number): void;
}

interface Two {
  readonly server: SqldUnderTest;
  readonly a: Instance;
  readonly b: Instance;
}

/** `rightsMaxAgeMs` of the second. */
function twoTest(name: string, rightsMaxAgeMs: number, body: (two: Two) => Promise<void>): void {
  Deno.test({
    name,
    ignore: program === null,
    fn: () =>
      withTempFolder((folder) =>
        withSqld(program ?? "", (server) =>
          withInstance(
            server,
            { path: `${folder}/a.db`, rightsMaxAgeMs: 60_000, isFirst: true },
            (a) =>
              withInstance(
                server,
                { path: `${folder}/b.db`, rightsMaxAgeMs, isFirst: false },
                (b) => body({ server, a, b }),
              ),
          ))
      ),
  });
}

interface InstanceOptions {
  readonly path: string;
  readonly rightsMaxAgeMs: number;
  /** It makes the tables. */
  readonly isFirst: boolean;
}

async function withInstance(
  { url }: SqldUnderTest,
  { path, rightsMaxAgeMs, isFirst }: InstanceOptions,
  body: (instance: Instance) => Promise<void>,
): Promise<void> {
  const database = await openDatabase({ url, busyTimeout: 60_000 });
  const place = { databaseReplica: path, databaseUrl: url, databaseAuthToken: null };
  let passedMs = 0;
  const copy = await openDatabaseCopy(place, {
    database,
    logger: { log: () => {} },
    pullMaxMs: PATIENCE_MS,
    answerMaxMs: PATIENCE_MS,
    now: () => performance.now() + passedMs,
  });
  assert(copy !== null);
  const driver: DriverUnderTest = {
    name: "replica",
    with: (run) =>
      run({ ...database, ...(isFirst ? {} : { migrate: () => Promise.resolve() }) }, copy),
  };
  try {
    const pass = (milliseconds: number) => void (passedMs += milliseconds);
    await withAccountsApi((api) => body({ api, copy, pass }), {
      project,
      driver,
      settings: { rightsMaxAgeMs, databaseMode: "replica" },
    });
  } finally {
    await copy.close();
    await database.close();
  }
}

const outcome = ({ status, body }: Answer): unknown[] => [status, body["code"]];
const POSITION = "database-position";
const AGENT = { sub: "user_1", orgId: "org_1", roles: ["admin"], jti: "one" };

/** A name and value of each cookie, the last of a name. */
function cookiesOf(...answers: readonly Answer[]): string {
  const lines = answers.flatMap(({ headers }) => headers.getSetCookie());
  const pairs = lines.map((line) => line.split(";")[0]?.split(/=(.*)/s) ?? []);
  return [...new Map(pairs.map(([name, value]) => [name, value]))]
    .map(([name, value]) => `${name}=${value}`).join("; ");
}

twoTest("a write's position makes another instance know of it", 60_000, async ({ a, b }) => {
  for (let count = 0; count < 10; count += 1) {
    const made = await a.api.ask("projects", { as: AGENT, body: { name: `P${count}` } });
    assertEquals(made.status, 201, made.text);
    const position = made.headers.get(POSITION) ?? "";
    assert(position !== "" && position.length <= 64, position);
    const path = `projects/${made.body["id"]}`;
    const read = await b.api.ask(path, { as: AGENT, headers: { [POSITION]: position } });
    assertEquals([read.status, read.body], [200, made.body]);
    assertEquals(read.headers.get(POSITION), null);
  }
});

twoTest(
  "a position that nobody gave, or that lies beyond all, is passed over",
  60_000,
  async ({ b }) => {
    const beyond = new Response();
    const positions = { last: () => "999999999", listen: () => {}, restart: () => () => {} };
    const ports = { ...b.api.ports, database: { ...b.api.database, positions } };
    const carrier = createPositionCarrier(project, ports, b.api.settings);
    await carrier.mark({ method: "POST", headers: new Headers() }, beyond);
    const given = ["nonsense", "1.AAAAAAAAAAAAAAAAAAAAAA", "x".repeat(5000)];
    for (const position of [...given, beyond.headers.get(POSITION) ?? ""]) {
      const read = await b.api.ask("projects", { as: AGENT, headers: { [POSITION]: position } });
      assertEquals([read.status, read.headers.get("warning")], [200, null], position);
    }
  },
);

twoTest(
  "a session and what it writes are known elsewhere by its cookies",
  60_000,
  async ({ a, b }) => {
    const anna = await admin(a.api, "anna", "acme");
    const made = await anna.ask("projects", { name: "Apollo" });
    assertEquals(made.status, 201, made.text);
    const [line = ""] = made.headers.getSetCookie();
    assert(
      /^better-auth\.position=\S+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=60$/.test(line),
      line,
    );
    const session = anna.cookie.split("; ").filter((one) => !one.includes(".position=")).join("; ");
    const cookie = `${session}; ${cookiesOf(made)}`;
    const read = await b.api.ask(`projects/${made.body["id"]}`, { headers: { cookie } });
    assertEquals([read.status, read.body], [200, made.body], read.text);
  },
);

twoTest("the typed client sends its position back by itself", 60_000, async ({ a, b }) => {
  const client = createClient<Projects>(BASE_URL, {
    token: () => tokenFor(AGENT),
    fetch(request) {
      request.headers.set("host", new URL(BASE_URL).host);
      return (request.method === "GET" ? b : a).api.fetch(request, { clientIp: null });
    },
  });
  const projects = client.resource("projects");
  for (let count = 0; count < 10; count += 1) {
    const { id } = await projects.create({ name: `P${count}` });
    assertEquals((await projects.get(id)).id, id);
  }
});

const BOUND = 300;

interface Ended {
  /** Ends the right of the credentials, through the first instance. */
  readonly end: (two: Two, anna: Visitor, ben: Visitor) => Promise<Answer>;
  readonly refused: unknown[];
}

const ENDED: Readonly<Record<string, Ended>> = {
  "a session that signed out": {
    end: (_, __, ben) => ben.ask("/auth/v1/sign-out", {}),
    refused: [401, "AUTH_INVALID_TOKEN"],
  },
  "a member who was removed": {
    end: (_, anna) =>
      anna.ask("/auth/v1/organization/remove-member", { memberIdOrEmail: "ben@example.com" }),
    refused: [403, "ACCESS_NO_ORG"],
  },
  "a user who was banned": {
    end: ({ a }) => written(a, "UPDATE auth_user SET banned = 1 WHERE name = 'ben'"),
    refused: [401, "AUTH_INVALID_TOKEN"],
  },
};

/** Writes of an operator, or of another process. */
async function written({ api }: Instance, sql: string): Promise<Answer> {
  await api.database.write((transaction) => transaction.run({ sql, args: [] }));
  return await api.ask("/health");
}

for (const bound of [BOUND, 0]) {
  for (const [name, { end, refused }] of Object.entries(ENDED)) {
    twoTest(`${name} is refused elsewhere within ${bound} ms`, bound, async (two) => {
      const anna = await admin(two.a.api, "anna", "acme");
      const ben = await joined(two.a, anna);
      const asBen = () =>
        two.b.api.ask("tasks", {
          headers: { cookie: ben.cookie.replace(/[^ ]*\.position=[^;]*;? ?/, "") },
        });
      two.b.pass(bound);
      assertEquals((await asBen()).status, 200);
      const ended = await end(two, anna, ben);
      assertEquals(ended.status, 200, ended.text);
      two.b.pass(bound);
      assertEquals(outcome(await asBen()), refused);
    });
  }

  twoTest(
    `a token that was taken back is refused elsewhere within ${bound} ms`,
    bound,
    async ({ a, b }) => {
      const read = () => b.api.ask("tasks", { as: AGENT });
      assertEquals((await read()).status, 200);
      const revoked = await a.api.ask("token/revoke", { method: "POST", as: AGENT });
      assertEquals(revoked.status, 200, revoked.text);
      b.pass(bound);
      assertEquals(outcome(await read()), [401, "AUTH_INVALID_TOKEN"]);
    },
  );

  twoTest(
    `a key that was deleted is refused elsewhere within ${bound} ms`,
    bound,
    async ({ a, b }) => {
      const anna = await admin(a.api, "anna", "acme");
      const made = await anna.ask("/api/auth/api-key/create", {});
      const read = () => b.api.ask("tasks", { headers: { "x-api-key": String(made.body["key"]) } });
      b.pass(bound);
      assertEquals((await read()).status, 200);
      const gone = await anna.ask("/api/auth/api-key/delete", { keyId: made.body["id"] });
      assertEquals(gone.status, 200, gone.text);
      b.pass(bound);
      assertEquals(outcome(await read()), [401, "AUTH_INVALID_TOKEN"]);
    },
  );
}

/** Longer than the asks take that it allows, on any machine. */
const AWAY_BOUND = 600_000;

function isServed(ask: () => Promise<Answer>): Promise<void> {
  return until("it is answered again", async () => (await ask()).status !== 503);
}

/** Somebody who was made a member of the visitor's organization, and is in it. */
async function joined(instance: Instance, anna: Visitor): Promise<Visitor> {
  const { api } = instance;
  const ben = await signedUp(api, "ben");
  const invited = await anna.ask("/auth/v1/organization/invite-member", {
    email: "ben@example.com",
    role: "member",
  });
  assertEquals(invited.status, 200, invited.text);
  await written(instance, "UPDATE auth_user SET email_verified = 1");
  const accepted = await ben.ask("/auth/v1/organization/accept-invitation", {
    invitationId: invited.body["id"],
  });
  assertEquals(accepted.status, 200, accepted.text);
  return ben;
}

twoTest(
  "without the primary rights end with their bound, and what is open to all goes on",
  AWAY_BOUND,
  async ({ a, b, server }) => {
    const anna = await admin(a.api, "anna", "acme");
    const made = await anna.ask("projects", { name: "Apollo" });
    const { organizationId } = made.body;
    const session = { headers: { cookie: anna.cookie } };
    const open = () => b.api.ask(`projects?organizationId=${organizationId}`);
    await b.copy.fresh(0);
    const position = made.headers.get(POSITION) ?? "";
    await server.kill();
    assertEquals((await b.api.ask("tasks", { as: AGENT })).status, 200);
    assertEquals((await b.api.ask("tasks", session)).status, 200);
    assertEquals(
      (await b.api.ask("tasks", { as: AGENT, headers: { [POSITION]: position } })).status,
      200,
    );
    b.pass(AWAY_BOUND);
    assertEquals(outcome(await b.api.ask("tasks", { as: AGENT })), [
      503,
      "AUTH_REVOCATION_UNAVAILABLE",
    ]);
    const away = await b.api.ask("tasks", session);
    assertEquals([...outcome(away), away.headers.get("retry-after")], [
      503,
      "DATABASE_UNAVAILABLE",
      "1",
    ]);
    const read = await open();
    assertEquals([read.status, read.body["data"]], [200, [made.body]]);
    const health = await b.api.ask("/health");
    const database = health.body["database"] as Record<string, unknown>;
    assertEquals([health.status, database["mode"], database["reachable"]], [200, "replica", false]);
    assert(Number(database["behindMs"]) > AWAY_BOUND, health.text);
    await server.restart();
    await isServed(() => b.api.ask("tasks", session));
    // The server makes its log anew after such an end, and the copy itself.
    await isServed(() => b.api.ask("/ready"));
    assertEquals((await b.api.ask("/ready")).body["checks"], { database: "ok", copy: "ok" });
  },
);
