/** What becomes of credentials when an account changes hands, passwords or organizations (docs/security.md, "What ends what"). */
import { assertEquals } from "@std/assert";
import type { ProjectModel } from "../../shared/model/project.ts";
import { createSecretBox, databaseQueue } from "../../shared/runtime/mod.ts";
import type { AccountsApiOptions } from "../support/accounts_api.ts";
import { type ApiUnderTest, AUTH_SECRET } from "../support/api.ts";
import {
  linkIn,
  ok,
  type SignInBrowser,
  signInProject,
  type SignInScene,
  withSignIn,
} from "../support/sign_in.ts";

const PASSWORD = "correct horse battery staple";
const NEW_PASSWORD = "another horse battery staple";
const WAYS = signInProject({ magicLink: true, twoFactor: true, passkeys: true });
const PROJECT: ProjectModel = {
  ...WAYS,
  agents: { ...WAYS.agents, oauth: true },
  webhooks: { ...WAYS.webhooks, outbound: true },
};
/** Ports that nothing is sent by. */
const QUIET: AccountsApiOptions = {
  webhooks: (ports) => ({
    queue: databaseQueue(ports),
    secrets: createSecretBox({ authSecret: AUTH_SECRET }, ports.random),
    resolver: { resolve: () => Promise.resolve({ addresses: [], exists: false, failure: null }) },
    dialer: { post: () => Promise.reject(new Error("Nothing is delivered here")) },
    env: {},
  }),
};
const NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')";
const LATER = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day')";

async function write(api: ApiUnderTest, ...statements: readonly string[]): Promise<void> {
  await api.database.write((transaction) =>
    transaction.runAll(statements.map((sql) => ({ sql, args: [] })))
  );
}

async function texts(api: ApiUnderTest, sql: string): Promise<readonly string[]> {
  return (await api.database.run({ sql, args: [] })).rows.map((row) => row.join(" "));
}

async function signedUp({ browser }: SignInScene, name: string): Promise<SignInBrowser> {
  const visitor = browser();
  const body = { name, email: `${name}@example.com`, password: PASSWORD };
  const answer = await visitor.ask("/auth/v1/sign-up/email", body);
  assertEquals(answer.status, 200, answer.text);
  return visitor;
}

async function founded(visitor: SignInBrowser, slug: string): Promise<string> {
  const answer = await visitor.ask("/auth/v1/organization/create", { name: slug, slug });
  assertEquals(answer.status, 200, answer.text);
  return String(answer.body["id"]);
}

async function keyOf(visitor: SignInBrowser): Promise<string> {
  return String((await visitor.ask("/auth/v1/api-key/create", {})).body["key"]);
}

const own = (table: string, columns: string, values: string) =>
  `INSERT INTO "${table}" (${columns}) SELECT ${values} FROM "auth_user" AS "u" WHERE "u"."name" = 'anna'`;

/** Rows of every kind that stand for anna, as if she, or somebody in her place, had made them. */
async function planted(api: ApiUnderTest): Promise<void> {
  await write(
    api,
    own(
      "auth_passkey",
      "id, public_key, user_id, credential_i_d, counter, device_type, backed_up",
      `'p', 'k', "u"."id", 'c', 0, 'x', 0`,
    ),
    own("auth_two_factor", "id, secret, backup_codes, user_id", `'f', 's', 'b', "u"."id"`),
    own(
      "auth_verification",
      "id, identifier, value, expires_at, created_at, updated_at",
      `'d', 'trust-device-1', "u"."id", ${LATER}, ${NOW}, ${NOW}`,
    ),
    own(
      "auth_verification",
      "id, identifier, value, expires_at, created_at, updated_at",
      `'l', 'reset-password:1', "u"."id", ${LATER}, ${NOW}, ${NOW}`,
    ),
    own(
      "auth_verification",
      "id, identifier, value, expires_at, created_at, updated_at",
      `'m', 'digest', '{"email":"Anna@example.com"}', ${LATER}, ${NOW}, ${NOW}`,
    ),
    `INSERT INTO "auth_oauth_client" (id, redirect_uris, created_at) VALUES ('c', '[]', ${NOW})`,
    own(
      "auth_oauth_grant",
      "id, client_id, user_id, scope, resource, created_at, expires_at",
      `'g', 'c', "u"."id", '*:read', 'api', ${NOW}, ${LATER}`,
    ),
    `INSERT INTO "auth_oauth_token" (id, kind, grant_id, expires_at) VALUES ('t', 'refresh', 'g', ${LATER})`,
    own(
      "webhook_endpoints",
      "id, user_id, name, url, secret, events, enabled, created_at",
      `'w', "u"."id", 'w', 'https://example.com', 's', '[]', 1, ${NOW}`,
    ),
  );
}

const KINDS = {
  passkey: `SELECT count(*) FROM "auth_passkey"`,
  factor: `SELECT count(*) FROM "auth_two_factor"`,
  device: `SELECT count(*) FROM "auth_verification" WHERE "identifier" LIKE 'trust-device-%'`,
  link: `SELECT count(*) FROM "auth_verification" WHERE "id" IN ('l', 'm')`,
  grant: `SELECT count(*) FROM "auth_oauth_grant"`,
  refresh: `SELECT count(*) FROM "auth_oauth_token"`,
  endpoint: `SELECT count(*) FROM "webhook_endpoints" WHERE "enabled" = 1`,
  key: `SELECT count(*) FROM "auth_apikey"`,
};

async function left(api: ApiUnderTest): Promise<readonly string[]> {
  const counts = await Promise.all(
    Object.entries(KINDS).map(async ([kind, sql]) =>
      (await texts(api, sql))[0] === "0" ? [] : [kind]
    ),
  );
  return counts.flat();
}

async function proveByLink({ sent }: SignInScene, visitor: SignInBrowser, email: string) {
  ok(await visitor.client.signIn.magicLink({ email }));
  assertEquals((await visitor.follow(linkIn(sent))).status, 200);
}

Deno.test("a taking over ends every kind of credential, in organizations of one's own too", () =>
  withSignIn(PROJECT, async (scene) => {
    const { api } = scene;
    const stranger = await signedUp(scene, "anna");
    const organization = await founded(stranger, "lone");
    await keyOf(stranger);
    await planted(api);
    await write(
      api,
      `INSERT INTO "webhook_endpoints" (id, organization_id, name, url, secret, events, enabled, created_at)
        VALUES ('o', '${organization}', 'o', 'https://example.com', 's', '[]', 1, ${NOW})`,
      own(
        "auth_invitation",
        "id, organization_id, email, role, status, expires_at, created_at, inviter_id",
        `'i', '${organization}', 'evil@example.com', 'owner', 'pending', ${LATER}, ${NOW}, "u"."id"`,
      ),
    );
    assertEquals(await left(api), Object.keys(KINDS));
    await proveByLink(scene, scene.browser(), "anna@example.com");
    assertEquals(await left(api), []);
    assertEquals(await texts(api, `SELECT "status" FROM "auth_invitation"`), ["canceled"]);
    assertEquals(await texts(api, `SELECT "slug" FROM "auth_organization"`), ["lone"]);
  }, QUIET));

Deno.test("a taking over leaves organizations with others, and the oldest of the highest role owns them", () =>
  withSignIn(PROJECT, async (scene) => {
    const { api } = scene;
    const stranger = await signedUp(scene, "anna");
    const organization = await founded(stranger, "shared");
    for (
      const [name, role, created] of [["ben", "member", 1], ["cleo", "admin", 3], [
        "dora",
        "admin",
        2,
      ]] as const
    ) {
      await signedUp(scene, name);
      await write(
        api,
        `INSERT INTO "auth_member" (id, organization_id, user_id, role, created_at)
          SELECT '${name}', '${organization}', "id", '${role}', '2020-01-0${created}T00:00:00.000Z'
          FROM "auth_user" WHERE "name" = '${name}'`,
      );
    }
    await proveByLink(scene, scene.browser(), "anna@example.com");
    const members = `SELECT "u"."name", "m"."role" FROM "auth_member" AS "m"
      JOIN "auth_user" AS "u" ON "u"."id" = "m"."user_id" ORDER BY "u"."name"`;
    assertEquals(await texts(api, members), ["ben member", "cleo admin", "dora owner,admin"]);
    const audit = `SELECT "action_name" FROM "audit_events" ORDER BY "action_name"`;
    assertEquals(await texts(api, audit), ["becomeOwner", "takeOverAccount"]);
  }, QUIET));

/** Ways in which a proved account gets another password, and what of its credentials goes on. */
const CHANGES: readonly (readonly [
  string,
  (scene: SignInScene, anna: SignInBrowser) => Promise<void>,
  readonly string[],
])[] = [
  ["a change of the password", async (_scene, anna) => {
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
    assertEquals((await anna.ask("/auth/v1/change-password", body)).status, 200);
  }, ["passkey", "factor", "grant", "refresh", "endpoint", "key"]],
  ["a reset by mail", async ({ sent, browser }) => {
    const visitor = browser();
    await visitor.ask("/auth/v1/request-password-reset", { email: "anna@example.com" });
    const token = /[A-Za-z0-9]{24,}/.exec(sent.at(-1)?.text ?? "")?.[0];
    const answer = await visitor.ask("/auth/v1/reset-password", {
      token,
      newPassword: NEW_PASSWORD,
    });
    assertEquals(answer.status, 200, answer.text);
  }, ["passkey", "factor", "endpoint"]],
  ["a sysadmin's setting it", async (scene) => {
    const root = await signedUp(scene, "root");
    const [userId] = await texts(scene.api, `SELECT "id" FROM "auth_user" WHERE "name" = 'anna'`);
    const body = { userId, newPassword: NEW_PASSWORD };
    const answer = await root.ask("/auth/v1/admin/set-user-password", body);
    assertEquals(answer.status, 200, answer.text);
  }, ["passkey", "factor", "endpoint"]],
];

for (const [how, change, stays] of CHANGES) {
  Deno.test(`${how} leaves of a proved account's credentials what the table says`, () =>
    withSignIn(PROJECT, async (scene) => {
      const { api } = scene;
      const anna = await signedUp(scene, "anna");
      await write(api, `UPDATE "auth_user" SET "email_verified" = 1`);
      await keyOf(anna);
      const token = String((await anna.ask("/api/v1/token", {})).body["token"]);
      await planted(api);
      await change(scene, anna);
      assertEquals(await left(api), stays);
      const isKept = stays.includes("key");
      const asked = await api.ask("/api/v1/projects", {
        headers: { authorization: `Bearer ${token}` },
      });
      assertEquals(asked.status === 401, !isKept);
      assertEquals(await anna.who() === null, !isKept);
    }, { ...QUIET, sysadminEmails: ["root@example.com"] }));
}

Deno.test("keys of a member who was removed or left do not live again after a new invitation", () =>
  withSignIn(PROJECT, async (scene) => {
    const { api } = scene;
    const anna = await signedUp(scene, "anna");
    const organizationId = await founded(anna, "acme");
    const join = `INSERT INTO "auth_member" (id, organization_id, user_id, role, created_at)
      SELECT 'b', '${organizationId}', "id", 'admin', ${NOW} FROM "auth_user" WHERE "name" = 'ben'`;
    const ben = await signedUp(scene, "ben");
    const ends = {
      removed: () =>
        anna.ask("/auth/v1/organization/remove-member", {
          memberIdOrEmail: "ben@example.com",
          organizationId,
        }),
      left: () => ben.ask("/auth/v1/organization/leave", { organizationId }),
    };
    for (const [how, end] of Object.entries(ends)) {
      await write(api, join);
      await ben.ask("/auth/v1/organization/set-active", { organizationId });
      const key = await keyOf(ben);
      const ask = async () =>
        (await api.ask("/api/v1/projects", { headers: { "x-api-key": key } })).status;
      assertEquals(await ask(), 200, how);
      assertEquals((await end()).status, 200, how);
      assertEquals(await ask(), 401, how);
      await write(api, join);
      assertEquals(await ask(), 401, `${how}, and invited again`);
      await write(api, `DELETE FROM "auth_member" WHERE "id" = 'b'`);
    }
  }, QUIET));
