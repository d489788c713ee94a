/** Whose account it is: what a proof of its address ends, and what it leaves (docs/decisions/accounts.md, "Proofs and credentials"). */
import { assert, assertEquals } from "@std/assert";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { EmailMessage } from "../../shared/runtime/ports.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";
import {
  codeIn,
  linkIn,
  ok,
  type SignInBrowser,
  signInProject,
  type SignInScene,
  withSignIn,
} from "../support/sign_in.ts";

const OWNER = "owner@example.com";
const PASSWORD = "correct horse battery staple";
const EVERY_WAY = signInProject({
  magicLink: true,
  emailCode: true,
  twoFactor: true,
  passkeys: true,
});
const PROJECT: ProjectModel = {
  ...EVERY_WAY,
  agents: { ...EVERY_WAY.agents, oauth: true },
};

/** The owner's ways to prove the address, who never saw the account before. */
const PROOFS: Readonly<
  Record<string, (scene: SignInScene, owner: SignInBrowser) => Promise<void>>
> = {
  async "a magic link"({ sent }, owner) {
    ok(await owner.client.signIn.magicLink({ email: OWNER }));
    assertEquals((await owner.follow(linkIn(sent))).status, 200);
  },
  async "a mailed code"({ sent }, owner) {
    ok(await owner.client.emailOtp.sendVerificationOtp({ email: OWNER, type: "sign-in" }));
    ok(await owner.client.signIn.emailOtp({ email: OWNER, otp: codeIn(sent) }));
  },
  async "a reset of the password"({ sent }, owner) {
    await owner.ask("/auth/v1/request-password-reset", { email: OWNER });
    await reset(sent, owner);
    const signedIn = { email: OWNER, password: "owner's own battery staple" };
    assertEquals((await owner.ask("/auth/v1/sign-in/email", signedIn)).status, 200);
  },
};

async function reset(sent: readonly EmailMessage[], browser: SignInBrowser): Promise<void> {
  const text = sent.at(-1)?.text ?? "";
  const token = /[A-Za-z0-9]{24,}/.exec(text)?.[0];
  const body = { token, newPassword: "owner's own battery staple" };
  assertEquals((await browser.ask("/auth/v1/reset-password", body)).status, 200, text);
}

interface Planted {
  readonly stranger: SignInBrowser;
  readonly userId: string;
  /** Each credential, asked for something that it opened before. */
  readonly credentials: Readonly<Record<string, () => Promise<Answer>>>;
}

/** A stranger signs up with the owner's address, and makes whatever an account can make. */
async function plant(scene: SignInScene): Promise<Planted> {
  const { api, browser } = scene;
  const stranger = browser();
  const made = await stranger.ask("/auth/v1/sign-up/email", {
    name: "owner",
    email: OWNER,
    password: PASSWORD,
  });
  assertEquals(made.status, 200, made.text);
  const organization = await stranger.ask("/auth/v1/organization/create", {
    name: "Planted",
    slug: "planted",
  });
  assertEquals(organization.status, 200, organization.text);
  await write(api, `UPDATE "auth_member" SET "role" = 'owner,admin'`);
  const key = (await stranger.ask("/auth/v1/api-key/create", { name: "planted" })).body["key"];
  const token = (await stranger.ask("/api/v1/token", {})).body["token"];
  assert(typeof key === "string" && typeof token === "string");
  const cookies = [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const asking = (headers: Readonly<Record<string, string>>) => () =>
    api.ask("/api/v1/projects", { headers });
  return {
    stranger,
    userId: await userIdOf(api),
    credentials: {
      session: asking({ cookie: cookies }),
      "API key": asking({ "x-api-key": key }),
      "bearer token": asking({ authorization: `Bearer ${token}` }),
    },
  };
}

async function userIdOf(api: ApiUnderTest): Promise<string> {
  const [id] = await texts(api, `SELECT "id" FROM "auth_user" WHERE "email" = '${OWNER}'`);
  return id ?? "";
}

async function texts(api: ApiUnderTest, sql: string): Promise<readonly string[]> {
  return (await api.database.run({ sql, args: [] })).rows.map((row) => row.join(" "));
}

async function write(api: ApiUnderTest, sql: string): Promise<void> {
  await api.database.write((transaction) => transaction.run({ sql, args: [] }));
}

for (const [how, prove] of Object.entries(PROOFS)) {
  Deno.test(`whoever proves an address first by ${how} has the account alone`, async () => {
    await withSignIn(PROJECT, async (scene) => {
      const { api, sent, browser } = scene;
      const { credentials, stranger } = await plant(scene);
      for (const [name, ask] of Object.entries(credentials)) {
        assertEquals((await ask()).status, 200, name);
      }
      const owner = browser();
      await prove(scene, owner);
      assertEquals(await owner.who(), OWNER);
      for (const [name, ask] of Object.entries(credentials)) {
        assertEquals((await ask()).status, 401, name);
      }
      assertEquals(await stranger.who(), null);
      const entered = { email: OWNER, password: PASSWORD };
      assertEquals((await stranger.ask("/auth/v1/sign-in/email", entered)).status, 401);
      // The notice names what ended.
      const notice = sent.find(({ subject }) => subject.includes("yours alone"));
      assertEquals(notice?.to, OWNER);
      const isReset = how === "a reset of the password";
      for (const name of ["API keys", "sessions", ...(isReset ? [] : ["the password"])]) {
        assert(notice?.text.includes(`- ${name}`), `${name} in ${notice?.text}`);
      }
      const audit = `SELECT "action_name", "actor_user_id" = (SELECT "id" FROM "auth_user")
        FROM "audit_events" WHERE "operation" = 'takeOver'`;
      assertEquals(await texts(api, audit), ["takeOverAccount 1"]);
      // What the account owns alone stays, and nothing of it is active.
      assertEquals(await texts(api, `SELECT "slug" FROM "auth_organization"`), ["planted"]);
      const active =
        `SELECT count(*) FROM "auth_session" WHERE "active_organization_id" IS NOT NULL`;
      if (!isReset) assertEquals(await texts(api, active), ["0"]);
      // A new session's tokens are good at once.
      const fresh = (await owner.ask("/api/v1/token", {})).body["token"];
      const asked = await api.ask("/api/v1/projects", {
        headers: { authorization: `Bearer ${fresh}` },
      });
      assertEquals(asked.status, isReset ? 200 : 403, asked.text);
    });
  });
}

Deno.test("a proof of an address that is proved ends nothing", async () => {
  await withSignIn(PROJECT, async (scene) => {
    const { credentials } = await plant(scene);
    await write(scene.api, `UPDATE "auth_user" SET "email_verified" = 1`);
    for (const how of ["a magic link", "a mailed code"]) {
      await PROOFS[how]?.(scene, scene.browser());
      for (const [name, ask] of Object.entries(credentials)) {
        assertEquals((await ask()).status, 200, `${name} after ${how}`);
      }
    }
    assertEquals(await texts(scene.api, `SELECT "id" FROM "audit_events"`), []);
  });
});
