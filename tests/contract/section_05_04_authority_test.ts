/**
 * What belongs to accounts, organizations and the service, asked for by those who are neither: scope tokens and delegated
 * principals (contract 5.4, 5.6). Each route of the service itself is a row.
 */
import { assertEquals } from "@std/assert";
import { memoryPubSub } from "../../shared/runtime/realtime/memory_pub_sub.ts";
import { createSecretBox, databaseQueue } from "../../shared/runtime/mod.ts";
import { NO_CODE } from "../../shared/surface/authored_code.ts";
import {
  type Answer,
  type ApiUnderTest,
  AUTH_SECRET,
  isRecord,
  tokenFor,
  withDefinitions,
} from "../support/api.ts";
import { connected } from "../support/mcp_client.ts";
import { manualTimer } from "../support/realtime.ts";

const FILES = {
  "quickback/quickback.config.ts": `export default {
  name: "rooms",
  contract: { changeset: true },
  openapi: { docs: "browser_modern" },
  realtime: { enabled: true },
  webhooks: { outbound: true, inbound: ["stripe"] },
  auth: {
    jwt: { revocationCheck: true },
    principals: { kiosk: { scheme: "Kiosk", verify: "services/kiosk", variants: ["hall"] } },
  },
};
`,
  "quickback/services/kiosk.ts": "export const verify = (credential: string) => null;\n",
  "quickback/features/rooms/rooms.ts": `import { feature, q } from "quickback";
export default feature("rooms", {
  columns: { organizationId: q.scope("organization"), title: q.text() },
  guards: { createable: ["title"], updatable: ["title"] },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] } },
  update: { access: { roles: ["SESSION"] } },
  delete: { access: { roles: ["admin"] } },
});
`,
  "quickback/features/signs/signs.ts": `import { feature, q } from "quickback";
export default feature("signs", {
  columns: { title: q.text() },
  firewall: { exception: true },
  read: { access: { roles: ["SCOPED", "kiosk/hall"] } },
});
`,
};

function withRooms(body: (api: ApiUnderTest) => Promise<void>): Promise<void> {
  const verify = (credential: string) =>
    credential === "hall" ? { variant: "hall", subject: "k1", roles: [] } : null;
  return withDefinitions(FILES, body, {
    actions: { authored: { ...NO_CODE, verifiers: { "quickback/services/kiosk.ts": verify } } },
    realtime: ({ clock }) => ({ pubSub: memoryPubSub(clock), timer: manualTimer(clock) }),
    webhooks: (ports) => ({
      queue: databaseQueue(ports),
      secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
      resolver: {
        resolve: () => Promise.resolve({ addresses: ["8.8.8.8"], exists: true, failure: null }),
      },
      dialer: { post: () => Promise.reject(new Error("Nothing is sent here")) },
      env: {},
    }),
  });
}

const NO_ORG = "403 ACCESS_NO_ORG";
const ROLE = "403 ACCESS_ROLE_REQUIRED";
const ENDPOINT = { name: "Hook", url: "https://hooks.example.com/in", events: ["*"] };
const RENAME = { op: "update", resource: "rooms", id: "room_1", data: { title: "b" } };

interface Row {
  readonly ask: readonly [method: string, path: string, body?: unknown];
  /** A scope token of org_1, a scope token of none, a delegated principal. */
  readonly expected: readonly [scoped: string, homeless: string, delegated: string];
}

const SESSION_ONLY: Row["expected"] = [
  "401 AUTH_SESSION_REQUIRED",
  "401 AUTH_SESSION_REQUIRED",
  "401 AUTH_SESSION_REQUIRED",
];
const NOBODYS: Row["expected"] = [ROLE, ROLE, ROLE];
/** Of a tenant: who has none is told so before anything else. */
const tenants = (scoped: string): Row["expected"] => [scoped, NO_ORG, NO_ORG];

const ROWS: readonly Row[] = [
  { ask: ["GET", "rooms"], expected: tenants("200") },
  { ask: ["GET", "rooms?organizationId=org_1"], expected: tenants("200") },
  { ask: ["GET", "rooms?organizationId=org_2"], expected: tenants("403 FIREWALL_ORG_ISOLATION") },
  { ask: ["POST", "rooms", { title: "a" }], expected: tenants("201") },
  { ask: ["PATCH", "rooms/room_1", { title: "b" }], expected: tenants(ROLE) },
  { ask: ["DELETE", "rooms/room_1"], expected: tenants(ROLE) },
  { ask: ["DELETE", "rooms/batch", { ids: ["room_1"] }], expected: tenants(ROLE) },
  { ask: ["POST", "changeset", { operations: [RENAME] }], expected: tenants(ROLE) },
  { ask: ["GET", "signs"], expected: ["200", "200", "200"] },
  { ask: ["POST", "token/scope", { scope: "other" }], expected: SESSION_ONLY },
  { ask: ["POST", "token/revoke", { jti: "another" }], expected: NOBODYS },
  { ask: ["GET", "/webhooks/v1/endpoints"], expected: NOBODYS },
  { ask: ["POST", "/webhooks/v1/endpoints", ENDPOINT], expected: NOBODYS },
  { ask: ["GET", "/webhooks/v1/endpoints/wep_1"], expected: NOBODYS },
  { ask: ["PATCH", "/webhooks/v1/endpoints/wep_1", { enabled: false }], expected: NOBODYS },
  { ask: ["DELETE", "/webhooks/v1/endpoints/wep_1"], expected: NOBODYS },
  { ask: ["GET", "/webhooks/v1/endpoints/wep_1/deliveries"], expected: NOBODYS },
  { ask: ["POST", "/webhooks/v1/endpoints/wep_1/test"], expected: NOBODYS },
  { ask: ["POST", "/webhooks/v1/endpoints/wep_1/rotate-secret"], expected: NOBODYS },
  { ask: ["GET", "/webhooks/v1/inbound/events"], expected: NOBODYS },
  { ask: ["POST", "/webhooks/v1/inbound/events/whe_1/retry"], expected: NOBODYS },
  { ask: ["GET", "/openapi.json"], expected: ["200", "200", ROLE] },
  { ask: ["GET", "/asyncapi.json"], expected: ["200", "200", ROLE] },
  { ask: ["GET", "/llms.txt"], expected: ["200", "200", ROLE] },
  { ask: ["GET", "/.well-known/api-catalog"], expected: ["200", "200", ROLE] },
];

const outcome = ({ status, body }: Answer) =>
  status < 400 ? String(status) : `${status} ${body["code"]}`;

/** In the order of the rows: a scope token of org_1, one of no organization, a delegated principal. */
async function callersOf(): Promise<readonly string[]> {
  const claims = { sub: "scope:door", scope: "door" };
  const tokens = [await tokenFor({ ...claims, orgId: "org_1" }), await tokenFor(claims)];
  return [...tokens.map((token) => `Bearer ${token}`), "Kiosk hall"];
}

Deno.test("scope tokens and delegated principals have no authority of accounts or organizations", async () => {
  await withRooms(async (api) => {
    await api.database.write((transaction) =>
      transaction.run({
        sql: "INSERT INTO rooms (id, organization_id, title, created_at, modified_at) " +
          "VALUES ('room_1', 'org_1', 'a', ?1, ?1)",
        args: ["2026-01-01T00:00:00.000Z"],
      })
    );
    const callers = await callersOf();
    const all = [];
    for (const { ask: [method, path, body] } of ROWS) {
      const outcomes: string[] = [];
      for (const authorization of callers) {
        const headers = { authorization };
        const sent = body === undefined ? { method, headers } : { method, headers, body };
        outcomes.push(outcome(await api.ask(path, sent)));
      }
      all.push([`${method} ${path}`, ...outcomes]);
    }
    const expected = ROWS.map(({ ask, expected }) => [`${ask[0]} ${ask[1]}`, ...expected]);
    assertEquals(all, expected);
  });
});

Deno.test("the tools of scope tokens and delegated principals are no more than their routes", async () => {
  await withRooms(async (api) => {
    const READING = ["describe_resource", "list_records", "get_record"];
    const expected = [
      [[...READING, "create_record", "create_records"], ["rooms", "signs"]],
      [READING, ["signs"]],
      [READING, ["signs"]],
    ];
    for (const [at, authorization] of (await callersOf()).entries()) {
      const { client, names, call } = await connected(api, { authorization });
      const { tools } = await client.listTools();
      const resource = tools.find(({ name }) => name === "get_record")?.inputSchema
        .properties?.["resource"];
      const resources = isRecord(resource) ? resource["enum"] : null;
      assertEquals([await names(), resources], expected[at]);
      const refused = await call("delete_record", { resource: "rooms", id: "room_1" });
      assertEquals(refused.isError, true);
    }
  });
});
