/** A `sysadmin` in an account's place: with its rights, marked everywhere, for an hour (definitions 2, `impersonation`). */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { helpdesk } from "../support/accounts_api.ts";
import type { Answer } from "../support/api.ts";
import { withCompiled } from "../support/compiled_actions.ts";
import {
  ok,
  refusalOf,
  type SignInBrowser,
  type SignInScene,
  withSignIn,
} from "../support/sign_in.ts";

const password = "correct horse battery staple";

const CONFIG = `import { defineAuth, defineConfig } from "quickback";
export default defineConfig({
  name: "desk",
  providers: { auth: defineAuth("better-auth", { impersonation: true }) },
});
`;

const NOTES = `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), text: q.text().required() },
  guards: { createable: ["text"], updatable: ["text"] },
  read: { access: { roles: ["owner", "member"] } },
  create: { access: { roles: ["owner"] } },
  update: { access: { roles: ["owner"] } },
  audit: true,
});
`;

const WHO = `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Who asks",
  path: "/notes/who",
  method: "POST",
  input: z.object({ mint: z.boolean().optional() }),
  access: { roles: ["owner"] },
  unsafe: { reason: "A test of who asks" },
  async execute({ ctx, input, mintScopeToken }) {
    const token = input.mint ? await mintScopeToken("desk", { expiresIn: 86_400 }) : null;
    return { by: ctx.impersonatedBy, userId: ctx.userId, userRole: ctx.userRole, token };
  },
});
`;

interface Office extends SignInScene {
  /** The sysadmin's browser, and their id. */
  readonly root: SignInBrowser;
  readonly rootId: string;
  readonly anna: SignInBrowser;
  readonly annaId: string;
}

async function signedUp({ browser }: SignInScene, name: string) {
  const visitor = browser();
  const email = `${name}@example.com`;
  const { user } = ok(await visitor.client.signUp.email({ name, email, password }));
  return { visitor, id: user.id };
}

/** Anna owns an organization; root is `sysadmin` by their address. */
function withOffice(body: (office: Office) => Promise<void>): Promise<void> {
  return withCompiled({
    "quickback/quickback.config.ts": CONFIG,
    "quickback/features/notes/notes.ts": NOTES,
    "quickback/features/notes/actions/who.ts": WHO,
  }, ({ model, code }) =>
    withSignIn(model, async (scene) => {
      const { visitor: anna, id: annaId } = await signedUp(scene, "anna");
      ok(await anna.client.organization.create({ name: "Acme", slug: "acme" }));
      const { visitor: root, id: rootId } = await signedUp(scene, "root");
      await body({ ...scene, root, rootId, anna, annaId });
    }, { code, actions: code, sysadminEmails: ["root@example.com", "other@example.com"] }));
}

const marked = ({ status, headers }: Answer) => [status, headers.get("impersonated-by")];

Deno.test("a sysadmin has the account's rights and not their own, and every answer and row says who it was", async () => {
  await withOffice(async ({ api, root, rootId, anna, annaId }) => {
    const plain = await anna.ask("/api/v1/notes", { text: "Anna's own" });
    assertEquals(marked(plain), [201, null]);
    ok(await root.client.admin.impersonateUser({ userId: annaId }));
    assertEquals(await root.who(), "anna@example.com");
    const made = await root.ask("/api/v1/notes", { text: "In her place" });
    assertEquals(marked(made), [201, rootId]);
    assertEquals(marked(await root.ask("/api/v1/notes/none")), [403, rootId]);
    assertEquals(marked(await root.ask("/api/v1/notes", { text: 1 })), [400, rootId]);
    assertEquals(marked(await root.ask("/auth/v1/get-session")), [200, rootId]);
    assertEquals(marked(await root.ask("/auth/v1/list-accounts")).at(0), 404);
    assertEquals(marked(await root.ask("/auth/v1/admin/list-users")), [403, rootId]);
    const who = await root.ask("/api/v1/notes/who", {});
    assertEquals(who.body, { by: rootId, userId: annaId, userRole: null, token: null });
    const actors = `SELECT "actor_user_id", "impersonator_user_id" FROM`;
    const audited = await api.database.run({ sql: `${actors} "audit_events"`, args: [] });
    assertEquals(audited.rows, [[annaId, rootId]]);
    const id = String(made.body["id"]);
    const history = await anna.ask(`/api/v1/notes/${id}/history`);
    assertMatch(
      history.text,
      new RegExp(`"actorUserId":"${annaId}","impersonatorUserId":"${rootId}"`),
    );
    ok(await root.client.admin.stopImpersonating());
    assertEquals(await root.who(), "root@example.com");
    assertEquals(marked(await root.ask("/auth/v1/admin/list-users")), [200, null]);
  });
});

Deno.test("nobody but a sysadmin stands in somebody's place, and nobody in a sysadmin's", async () => {
  await withOffice(async (office) => {
    const { root, rootId, anna, annaId } = office;
    const refused = await anna.client.admin.impersonateUser({ userId: rootId });
    assertMatch(refusalOf(refused), /^403 /);
    const { id: other } = await signedUp(office, "other");
    assertEquals(
      refusalOf(await root.client.admin.impersonateUser({ userId: other })),
      "403 YOU_CANNOT_IMPERSONATE_ADMINS",
    );
    const { id: named } = await signedUp(office, "named");
    ok(await root.client.admin.setRole({ userId: named, role: "sysadmin" as "user" }));
    assertEquals(
      refusalOf(await root.client.admin.impersonateUser({ userId: named })),
      "403 YOU_CANNOT_IMPERSONATE_ADMINS",
    );
    ok(await root.client.admin.impersonateUser({ userId: annaId }));
    assertMatch(refusalOf(await root.client.admin.impersonateUser({ userId: named })), /^403 /);
  });
});

Deno.test("in somebody's place nothing of the account is changed, and nothing is left that outlives it", async () => {
  await withOffice(async ({ root, annaId, api }) => {
    ok(await root.client.admin.impersonateUser({ userId: annaId }));
    const refused: readonly (readonly [string, unknown])[] = [
      ["/api-key/create", { name: "stays" }],
      ["/change-email", { newEmail: "root@elsewhere.example" }],
      ["/change-password", { currentPassword: password, newPassword: `${password}!` }],
      ["/update-user", { name: "Root" }],
      ["/delete-user", { password }],
      ["/revoke-sessions", {}],
      ["/organization/invite-member", { email: "root@elsewhere.example", role: "owner" }],
      ["/organization/delete", { organizationId: "x", password }],
    ];
    for (const [path, body] of refused) {
      const answer = await root.ask(`/auth/v1${path}`, body);
      assertEquals([answer.status, answer.body["code"]], [403, "IMPERSONATED"], path);
    }
    const sql =
      `SELECT (SELECT count(*) FROM "auth_apikey"), (SELECT count(*) FROM "auth_invitation")`;
    assertEquals((await api.database.run({ sql, args: [] })).rows, [[0, 0]]);
  });
});

Deno.test("it ends with the hour, whatever uses it, and so do the tokens that were made in it", async () => {
  await withOffice(async ({ root, rootId, annaId, api }) => {
    // Tokens are judged by the clock of the API.
    api.pass(Date.now() - api.ports.clock.now());
    ok(await root.client.admin.impersonateUser({ userId: annaId }));
    const left = async (seconds: number) => {
      const sql = `UPDATE "auth_session" SET "expires_at" = ? WHERE "impersonated_by" IS NOT NULL`;
      const args = [new Date(api.ports.clock.now() + seconds * 1000).toISOString()];
      await api.database.write((transaction) => transaction.run({ sql, args }));
    };
    const ends = `SELECT "expires_at" FROM "auth_session" WHERE "impersonated_by" IS NOT NULL`;
    const [[end] = []] = (await api.database.run({ sql: ends, args: [] })).rows;
    const seconds = (Date.parse(String(end)) - Date.now()) / 1000;
    assert(seconds > 3000 && seconds <= 3600, String(seconds));
    for (const name of [...root.cookies.keys()]) {
      if (name.includes("dont_remember")) root.cookies.delete(name);
    }
    await root.who();
    assertEquals((await api.database.run({ sql: ends, args: [] })).rows, [[String(end)]]);
    await left(100);
    const { token } = (await root.ask("/api/v1/token", {})).body;
    const claims = decodeJwt(String(token));
    assertEquals([claims.sub, claims["act"], claims["userRole"]], [
      annaId,
      { sub: rootId },
      undefined,
    ]);
    const life = (claims.exp ?? 0) - (claims.iat ?? 0);
    assert(life > 0 && life <= 100, String(life));
    const minted = (await root.ask("/api/v1/notes/who", { mint: true })).body["token"];
    const scoped = decodeJwt(String(Reflect.get(Object(minted), "token")));
    assert((scoped.exp ?? 0) - (scoped.iat ?? 0) <= 100);
    assertEquals(scoped["act"], { sub: rootId });
    const headers = { authorization: `Bearer ${token}` };
    const asked = await api.ask("notes", { headers });
    assertEquals(marked(asked), [200, rootId]);
    await left(-1);
    assertEquals(await root.who(), null);
    api.pass(101_000);
    assertEquals((await api.ask("notes", { headers })).body["code"], "AUTH_EXPIRED");
  });
});

Deno.test("whoever is no sysadmin any more stands in nobody's place from the next request on", async () => {
  for (const change of [`"banned" = 1`, `"email_verified" = 0, "email" = 'gone@example.com'`]) {
    await withOffice(async ({ root, rootId, annaId, api }) => {
      ok(await root.client.admin.impersonateUser({ userId: annaId }));
      assertEquals((await root.ask("/api/v1/notes")).status, 200);
      const sql = `UPDATE "auth_user" SET ${change} WHERE "id" = ?`;
      await api.database.write((transaction) => transaction.run({ sql, args: [rootId] }));
      assertEquals((await root.ask("/api/v1/notes")).status, 401);
      assertEquals((await root.ask("/api/v1/token", {})).status, 401);
    });
  }
});

Deno.test("a refusal of a route that asks for nobody is heard, however long its cookie is looked up", async () => {
  await withOffice(async ({ root, api }) => {
    const { accounts } = api.ports;
    assert(accounts);
    const { session } = accounts;
    Object.assign(accounts, {
      async session(headers: Headers) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        await new Promise((resolve) => setTimeout(resolve, 0));
        return await session(headers);
      },
    });
    for (const path of ["/sign-in/email", "/sign-up/email", "/sign-out"]) {
      const answer = await root.ask(`/auth/v1${path}`, { nope: 1 });
      assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], path);
    }
  });
});

Deno.test("without its key there is no impersonation", async () => {
  await withSignIn(helpdesk, async (scene) => {
    const { id } = await signedUp(scene, "anna");
    const { visitor: root } = await signedUp(scene, "root");
    assertEquals((await root.ask("/auth/v1/admin/list-users")).status, 200);
    for (const path of ["/admin/impersonate-user", "/admin/stop-impersonating"]) {
      assertEquals((await root.ask(`/auth/v1${path}`, { userId: id })).status, 404, path);
    }
  }, { sysadminEmails: ["root@example.com"] });
});
