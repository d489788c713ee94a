/** Whom a platform role follows: sessions after the proof of the address, and what they hand it on to (docs/decisions/accounts.md, "Proofs and credentials"). */
import { assert, assertEquals } from "@std/assert";
import { createAccounts } from "../../shared/accounts/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { LogEntry } from "../../shared/runtime/ports.ts";
import { AUTH_SECRET, BASE_URL } from "../support/api.ts";
import { signInProject, type SignInScene, withSignIn } from "../support/sign_in.ts";
import { until } from "../support/until.ts";

const PASSWORD = "correct horse battery staple";
const ROOT = "root@example.com";
const WAYS = signInProject({ twoFactor: true, magicLink: true });
const MAILING: ProjectModel = { ...WAYS, email: { ...WAYS.email, provider: "smtp" } };
const PRODUCTION = {
  sysadminEmails: [ROOT],
  settings: { production: true },
  given: {
    settings: {
      baseUrl: BASE_URL,
      authSecret: AUTH_SECRET,
      production: true,
      variable: (name: string) => name === "BASE_URL" ? BASE_URL : null,
    },
  },
};
const DEVELOPMENT = { sysadminEmails: [ROOT] };

async function entered({ browser }: SignInScene, path: string, body: object) {
  const visitor = browser();
  const answer = await visitor.ask(`/auth/v1${path}`, body);
  assertEquals(answer.status, 200, answer.text);
  return visitor;
}

const signUp = (scene: SignInScene) =>
  entered(scene, "/sign-up/email", { name: "root", email: ROOT, password: PASSWORD });
const signIn = (scene: SignInScene) =>
  entered(scene, "/sign-in/email", { email: ROOT, password: PASSWORD });

async function write({ api }: SignInScene, sql: string): Promise<void> {
  await api.database.write((transaction) => transaction.run({ sql, args: [] }));
}

/** The organizations of everybody, which a `sysadmin` alone may list with a key. */
async function roleOf({ api }: SignInScene, key: unknown): Promise<string | null> {
  const verdict = await api.ports.accounts?.apiKey(String(key));
  return verdict?.kind === "principal" ? verdict.principal.userRole : verdict?.code ?? null;
}

Deno.test("a key carries a platform role only where it was made for it, by a session after the proof", () =>
  withSignIn(MAILING, async (scene) => {
    const early = await signUp(scene);
    await write(scene, `UPDATE "auth_user" SET "email_verified" = 1`);
    const late = await signIn(scene);
    const made = async (visitor: typeof early, body: object) =>
      (await visitor.ask("/auth/v1/api-key/create", body)).body["key"];
    assertEquals(await roleOf(scene, await made(late, {})), null);
    assertEquals(await roleOf(scene, await made(late, { platformRole: false })), null);
    assertEquals(await roleOf(scene, await made(late, { platformRole: true })), "sysadmin");
    assertEquals(await roleOf(scene, await made(early, { platformRole: true })), null);
    // A role that the account was given by name is carried by the same rule.
    await write(scene, `UPDATE "auth_user" SET "role" = 'appmanager', "email" = 'x@example.com'`);
    assertEquals(await roleOf(scene, await made(early, {})), null);
    assertEquals(await roleOf(scene, await made(early, { platformRole: true })), "appmanager");
  }, DEVELOPMENT));

Deno.test("in production a session without a second factor hands no platform role on", () =>
  withSignIn(MAILING, async (scene) => {
    await signUp(scene);
    await write(scene, `UPDATE "auth_user" SET "email_verified" = 1`);
    const root = await signIn(scene);
    const refused = await root.ask("/auth/v1/api-key/create", { platformRole: true });
    assertEquals([refused.status, refused.body["code"]], [403, "SECOND_FACTOR_REQUIRED"]);
    assertEquals((await root.ask("/auth/v1/api-key/create", {})).status, 200);
    await write(scene, `UPDATE "auth_session" SET "second_factor" = 1`);
    const { body } = await root.ask("/auth/v1/api-key/create", { platformRole: true });
    assertEquals(await roleOf(scene, body["key"]), "sysadmin");
  }, PRODUCTION));

Deno.test("keys from before carry no platform role, and a start counts them", () =>
  withSignIn(MAILING, async (scene) => {
    await signUp(scene);
    await write(scene, `UPDATE "auth_user" SET "email_verified" = 1`);
    const root = await signIn(scene);
    const { body: { key } } = await root.ask("/auth/v1/api-key/create", { platformRole: true });
    await write(scene, `UPDATE "auth_apikey" SET "platform_role" = NULL, "after_proof" = NULL`);
    assertEquals(await roleOf(scene, key), null);
    const log: LogEntry[] = [];
    createAccounts(MAILING, {
      database: scene.api.database,
      settings: { baseUrl: BASE_URL, authSecret: AUTH_SECRET, production: false },
      logger: { log: (entry) => void log.push(entry) },
      limiter: {
        take: () => Promise.resolve(true),
        lend: () => Promise.resolve({ giveBack: () => Promise.resolve() }),
      },
      detached: (run) => run(),
      email: { send: () => Promise.resolve() },
      sysadminEmails: [ROOT],
    });
    await until("the start has counted", () => log.length > 0);
    assertEquals(log.map(({ fields }) => fields), [{ keys: 1, grants: 0 }]);
  }, DEVELOPMENT));

Deno.test("an account whose address nobody has proved makes no key and invites nobody where mail is sent", () =>
  withSignIn(MAILING, async (scene) => {
    const visitor = await signUp(scene);
    const founding = { name: "Acme", slug: "acme" };
    assertEquals((await visitor.ask("/auth/v1/organization/create", founding)).status, 200);
    const invitation = { email: "ben@example.com", role: "member" };
    const ask = async () => {
      const answers = [
        await visitor.ask("/auth/v1/api-key/create", {}),
        await visitor.ask("/auth/v1/organization/invite-member", invitation),
      ];
      return answers.map(({ status, body }) => status === 200 ? 200 : body["code"]);
    };
    const sent = scene.sent.length;
    assertEquals(await ask(), ["EMAIL_UNVERIFIED", "EMAIL_UNVERIFIED"]);
    assertEquals(scene.sent.length, sent);
    await write(scene, `UPDATE "auth_user" SET "email_verified" = 1`);
    assertEquals(await ask(), [200, 200]);
    assert(scene.sent.length > sent);
  }));
