/** Real accounts: sessions, organizations and invitations (contract 5.1, definitions 7 "auth routes", "session cookie"). */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import type { Principal } from "../../shared/model/principal.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import {
  type AccountsUnderTest,
  type Browser,
  PASSWORD,
  withAccounts,
} from "../support/accounts.ts";
import { DRIVERS } from "../support/databases.ts";
import { project } from "../support/sample_project.ts";

const principalOf = ({ accounts }: AccountsUnderTest, browser: Browser) =>
  accounts.session(browser.headers);

const helpdesk = {
  ...project,
  auth: { ...project.auth, roles: ["admin", "agent", "lead", "sysadmin", "PUBLIC"] },
};

Deno.test("signing up signs in, and the session is a principal without an organization", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const { user } = await anna.expect(200, "/get-session");
    assertEquals(await principalOf(underTest, anna), {
      credential: "session",
      userId: idOf(user),
      organizationId: null,
      teamId: null,
      roles: [],
      userRole: null,
    });
  });
});

Deno.test("a password opens a session, a wrong one none, and both say nothing else", async () => {
  await withAccounts({}, async (underTest) => {
    await underTest.signedUp("anna");
    const visitor = underTest.browser();
    const wrong = { email: "anna@example.com", password: "not the password" };
    const unknown = { email: "nobody@example.com", password: PASSWORD };
    assertEquals(
      await visitor.expect(401, "/sign-in/email", wrong),
      await visitor.expect(401, "/sign-in/email", unknown),
    );
    assertEquals(visitor.cookies.size, 0);
    await visitor.expect(200, "/sign-in/email", { email: "Anna@Example.com", password: PASSWORD });
    assertEquals((await principalOf(underTest, visitor))?.credential, "session");
  });
});

for (const driver of DRIVERS) {
  Deno.test(`an account, an organization and an invitation live in a database that is ${driver.name}`, async () => {
    await withAccounts({ project: helpdesk, driver }, async (underTest) => {
      const anna = await underTest.signedUp("anna");
      const acme = await createOrganization(anna, "acme");
      const ben = await underTest.signedUp("ben");
      await join(ben, await invite(anna, "ben@example.com", ["agent"]));
      assertEquals(pick(await principalOf(underTest, ben)), {
        organizationId: acme,
        roles: ["agent"],
      });
      await ben.expect(200, "/sign-out", {});
      assertEquals(await count(underTest, "auth_session"), 1);
    });
  });
}

Deno.test("an address signs up once, and nothing of a second attempt stays", async () => {
  await withAccounts({}, async (underTest) => {
    await underTest.signedUp("anna");
    const again = { name: "x", email: "ANNA@example.com", password: PASSWORD };
    await underTest.browser().expect(422, "/sign-up/email", again);
    assertEquals(await count(underTest, "auth_user"), 1);
    assertEquals(await count(underTest, "auth_account"), 1);
  });
});

Deno.test("two sign-ups at once with one address make one account", async () => {
  await withAccounts({}, async (underTest) => {
    const body = { name: "anna", email: "anna@example.com", password: PASSWORD };
    const statuses = await Promise.all(
      [1, 2].map(async () => (await underTest.browser().send("/sign-up/email", body)).status),
    );
    assertEquals(statuses.sort(), [200, 422]);
    assertEquals(await count(underTest, "auth_user"), 1);
    assertEquals(await count(underTest, "auth_account"), 1);
    assertEquals(await count(underTest, "auth_session"), 1);
  });
});

Deno.test("signing out ends the session at once, also for a copy of its cookie", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const stolen = anna.headers;
    assert(await underTest.accounts.session(stolen));
    await anna.expect(200, "/sign-out", {});
    assertEquals(anna.cookies.size, 0);
    assertEquals(await underTest.accounts.session(stolen), null);
  });
});

Deno.test("a forged, foreign or expired cookie is no session", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const cookie = anna.headers.get("cookie") ?? "";
    const forged = [
      cookie.replace(/\.[^.]*$/, ".AAAA"),
      cookie.replace(/=(.)/, (_, first: string) => first === "a" ? "=b" : "=a"),
      cookie.split(".")[0] + ".session_token=",
      "better-auth.session_token=null",
    ];
    for (const text of forged) {
      assertEquals(await underTest.accounts.session(new Headers({ cookie: text })), null);
    }
    await underTest.database.write((transaction) =>
      transaction.run({
        sql: "UPDATE auth_session SET expires_at = ?",
        args: ["2020-01-01T00:00:00.000Z"],
      })
    );
    assertEquals(await principalOf(underTest, anna), null);
  });
});

Deno.test("the session cookie is out of reach of scripts, and of plain HTTP under https", async () => {
  await withAccounts({}, async (underTest) => {
    const [cookie = ""] = (await underTest.signedUp("anna")).setCookies;
    assertMatch(cookie, /^better-auth\.session_token=/);
    for (const flag of ["HttpOnly", "SameSite=Lax", "Path=/", "Max-Age=604800"]) {
      assertStringIncludes(cookie, flag);
    }
    assert(!/;\s*secure/i.test(cookie));
  });
  await withAccounts({ baseUrl: "https://api.example.com" }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const [cookie = ""] = anna.setCookies;
    assertMatch(cookie, /^__Secure-better-auth\.session_token=/);
    assertMatch(cookie, /;\s*Secure/);
    assert(await principalOf(underTest, anna));
  });
});

Deno.test("a write with a cookie is refused when a foreign page, or none that says so, sends it", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const table: readonly Record<string, string>[] = [
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: "", referer: "https://evil.example/page" },
      { origin: "", "sec-fetch-site": "cross-site" },
      { origin: "", "sec-fetch-site": "same-site" },
    ];
    for (const headers of table) {
      assertEquals(
        (await anna.send("/sign-out", {}, headers)).status,
        403,
        JSON.stringify(headers),
      );
    }
    assert(await principalOf(underTest, anna));
  });
});

Deno.test("a client that is no browser says nothing of pages, and may write with its cookie", async () => {
  for (const headers of [{ origin: "" }, { origin: "", "sec-fetch-site": "same-origin" }]) {
    await withAccounts({}, async (underTest) => {
      const anna = await underTest.signedUp("anna");
      assertEquals((await anna.send("/sign-out", {}, headers)).status, 200);
    });
  }
});

Deno.test("a trusted origin may write, and in development a page of this machine", async () => {
  const trusting = { ...project, trustedOrigins: ["https://app.example.com"] };
  const signOut = async (production: boolean, origin: string): Promise<number> => {
    let status = 0;
    const options = { project: trusting, baseUrl: "https://api.example.com", production };
    await withAccounts(options, async (underTest) => {
      const anna = await underTest.signedUp("anna");
      status = (await anna.send("/sign-out", {}, { origin })).status;
    });
    return status;
  };
  assertEquals(await signOut(true, "https://app.example.com"), 200);
  assertEquals(await signOut(true, "http://localhost:5173"), 403);
  assertEquals(await signOut(false, "http://localhost:5173"), 200);
  assertEquals(await signOut(false, "http://localhost.evil.example"), 403);
});

Deno.test("a pattern among the trusted origins stops the accounts from starting", async () => {
  await assertRejects(
    () => withAccounts({ project: { ...project, trustedOrigins: ["*"] } }, () => Promise.resolve()),
    Error,
    'Trusted origin "*" is a pattern',
  );
});

Deno.test("what breaks behind the accounts is thrown to the host and told to nobody", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await underTest.database.migrate([{ sql: "ALTER TABLE auth_member RENAME TO gone", args: [] }]);
    const body = { email: "anna@example.com", password: PASSWORD };
    await assertRejects(() => anna.send("/sign-in/email", body));
    assertEquals(await count(underTest, "auth_session"), 1);
  });
});

Deno.test("a member's roles in the active organization are the principal's", async () => {
  await withAccounts({ project: helpdesk }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const acme = await createOrganization(anna, "acme");
    assertEquals(pick(await principalOf(underTest, anna)), {
      organizationId: acme,
      roles: ["owner"],
    });
    const ben = await underTest.signedUp("ben");
    await join(ben, await invite(anna, "ben@example.com", ["agent", "lead"]));
    assertEquals(pick(await principalOf(underTest, ben)), {
      organizationId: acme,
      roles: ["agent", "lead"],
    });
    const { user } = await ben.expect(200, "/get-session");
    assertEquals(await underTest.accounts.rolesIn(acme, idOf(user)), ["agent", "lead"]);
    assertEquals(await underTest.accounts.rolesIn("other", idOf(user)), null);
  });
});

Deno.test("nobody is invited as a role that the project does not have, or that no membership gives", async () => {
  await withAccounts({ project: helpdesk }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await createOrganization(anna, "acme");
    for (
      const role of ["janitor", "sysadmin", "PUBLIC", "appmanager", "constructor", "__proto__"]
    ) {
      await anna.expect(400, "/organization/invite-member", { email: "ben@example.com", role });
    }
    assertEquals(underTest.sent.filter(({ to }) => to === "ben@example.com"), []);
  });
});

Deno.test("a platform role written into a membership by hand is not held", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const acme = await createOrganization(anna, "acme");
    await underTest.database.write((transaction) =>
      transaction.run({ sql: "UPDATE auth_member SET role = ?", args: ["sysadmin,admin,SESSION"] })
    );
    const principal = await principalOf(underTest, anna);
    assertEquals(pick(principal), { organizationId: acme, roles: ["admin"] });
    assertEquals(principal?.userRole, null);
  });
});

Deno.test("an invitation is for its recipient, once", async () => {
  await withAccounts({ project: helpdesk }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await createOrganization(anna, "acme");
    const invitation = await invite(anna, "ben@example.com", ["agent"]);
    const message = underTest.sent.find(({ to }) => to === "ben@example.com");
    assertStringIncludes(message?.text ?? "", invitation);
    const carl = await underTest.signedUp("carl");
    await carl.expect(403, "/organization/accept-invitation", { invitationId: invitation });
    const ben = await underTest.signedUp("ben");
    await join(ben, invitation);
    await ben.expect(400, "/organization/accept-invitation", { invitationId: invitation });
    assertEquals(await count(underTest, "auth_member"), 2);
  });
});

Deno.test("a plain member invites nobody, and an admin makes no owner", async () => {
  await withAccounts({ project: helpdesk }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await createOrganization(anna, "acme");
    const ben = await underTest.signedUp("ben");
    await join(ben, await invite(anna, "ben@example.com", ["agent"]));
    const carl = await underTest.signedUp("carl");
    await join(carl, await invite(anna, "carl@example.com", ["admin"]));
    const guest = { email: "guest@example.com" };
    await ben.expect(403, "/organization/invite-member", { ...guest, role: "agent" });
    await carl.expect(403, "/organization/invite-member", { ...guest, role: "owner" });
    await carl.expect(200, "/organization/invite-member", { ...guest, role: "agent" });
  });
});

Deno.test("a new session starts in the user's only organization, and in none of several", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const acme = await createOrganization(anna, "acme");
    assertEquals((await signedIn(underTest, "anna"))?.organizationId, acme);
    await createOrganization(anna, "bolt");
    assertEquals((await signedIn(underTest, "anna"))?.organizationId, null);
  });
});

Deno.test("the active organization is switched to one's own only, and counts at once", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const acme = await createOrganization(anna, "acme");
    const bolt = await createOrganization(anna, "bolt");
    assertEquals((await principalOf(underTest, anna))?.organizationId, bolt);
    await anna.expect(200, "/organization/set-active", { organizationId: acme });
    assertEquals((await principalOf(underTest, anna))?.organizationId, acme);
    const foreign = await createOrganization(await underTest.signedUp("ben"), "core");
    await anna.expect(403, "/organization/set-active", { organizationId: foreign });
    assert((await principalOf(underTest, anna))?.organizationId !== foreign);
  });
});

Deno.test("a role that is changed and a membership that is lost count at once", async () => {
  await withAccounts({ project: helpdesk }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const acme = await createOrganization(anna, "acme");
    const ben = await underTest.signedUp("ben");
    await join(ben, await invite(anna, "ben@example.com", ["agent"]));
    const memberId = await memberIdOf(underTest, "ben@example.com");
    await anna.expect(200, "/organization/update-member-role", { memberId, role: "lead" });
    assertEquals(pick(await principalOf(underTest, ben)), {
      organizationId: acme,
      roles: ["lead"],
    });
    await anna.expect(200, "/organization/remove-member", { memberIdOrEmail: memberId });
    assertEquals(pick(await principalOf(underTest, ben)), { organizationId: null, roles: [] });
  });
});

Deno.test("nobody gives themselves a role or an organization through their profile or session", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const foreign = await createOrganization(await underTest.signedUp("ben"), "core");
    await anna.send("/update-user", { role: "sysadmin", name: "x" });
    await anna.send("/update-session", { activeOrganizationId: foreign });
    await underTest.browser().send("/sign-up/email", {
      name: "eve",
      email: "eve@example.com",
      password: PASSWORD,
      role: "sysadmin",
    });
    const principal = await principalOf(underTest, anna);
    assertEquals([principal?.userRole, principal?.organizationId], [null, null]);
    const { rows } = await underTest.database.run({
      sql: "SELECT count(*) FROM auth_user WHERE role <> ''",
      args: [],
    });
    assertEquals(rows, [[0]]);
  });
});

const LISTED = ["Root@Example.com"];
const withSmtp: ProjectModel = { ...project, email: { ...project.email, provider: "smtp" } };

Deno.test("in development, with messages in the log, a configured address signs up as sysadmin", async () => {
  await withAccounts({ sysadminEmails: LISTED }, async (underTest) => {
    assertEquals(
      (await principalOf(underTest, await underTest.signedUp("root")))?.userRole,
      "sysadmin",
    );
    assertEquals((await principalOf(underTest, await underTest.signedUp("anna")))?.userRole, null);
  });
});

for (
  const [where, options] of [
    ["in production with a mail server", { production: true, project: withSmtp }],
    ["in production with messages in the log", { production: true }],
    ["in development with a mail server", { project: withSmtp }],
  ] as const
) {
  Deno.test(`${where} a configured address is sysadmin in sessions after its proof, on account routes too`, async () => {
    await withAccounts({ ...options, sysadminEmails: LISTED }, async (underTest) => {
      const root = await underTest.signedUp("root");
      const anna = await underTest.signedUp("anna");
      const roles = async (browser: typeof root) => [
        (await principalOf(underTest, browser))?.userRole,
        (await browser.send("/admin/list-users")).status,
        roleIn(await browser.expect(200, "/get-session")),
      ];
      const signedIn = async () => {
        const browser = underTest.browser();
        const body = { email: "root@example.com", password: PASSWORD };
        await browser.expect(200, "/sign-in/email", body);
        return browser;
      };
      const NOTHING = [null, 403, null];
      assertEquals(await roles(root), NOTHING);
      const link = /https?:\S+/.exec(underTest.sent[0]?.text ?? "")?.[0] ?? "";
      await root.expect(200, "/verify-email", { token: new URL(link).searchParams.get("token") });
      assertEquals(await roles(root), NOTHING, "a session from before the proof");
      const later = await signedIn();
      assertEquals(await roles(later), ["sysadmin", 200, "sysadmin"]);
      assertEquals((await principalOf(underTest, anna))?.userRole, null);
      const change = (email: string, verified: number) =>
        underTest.database.write((transaction) =>
          transaction.run({
            sql: "UPDATE auth_user SET email = ?, email_verified = ? WHERE name = 'root'",
            args: [email, verified],
          })
        );
      await change("other@example.com", 1);
      assertEquals(await roles(later), NOTHING);
      await change("root@example.com", 0);
      assertEquals(await roles(later), NOTHING);
      await change("root@example.com", 1);
      assertEquals(await roles(later), ["sysadmin", 200, "sysadmin"]);
    });
  });
}

function roleIn({ user }: Readonly<Record<string, unknown>>): unknown {
  return Reflect.get(Object(user), "role") || null;
}

Deno.test("v1 serves the same accounts below /api/auth", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = underTest.browser();
    const body = { name: "anna", email: "anna@example.com", password: PASSWORD };
    await anna.expect(200, "/api/auth/sign-up/email", body);
    const { user } = await anna.expect(200, "/auth/v1/get-session");
    assertEquals(idOf(user), (await principalOf(underTest, anna))?.userId);
    assertEquals((await anna.send("/api/authx/get-session")).status, 404);
  });
});

Deno.test("v2 serves them below /auth/v2 and nowhere else", async () => {
  await withAccounts({ project: { ...project, contract: "v2" } }, async (underTest) => {
    const anna = underTest.browser();
    assertEquals((await anna.send("/auth/v2/ok")).status, 200);
    assertEquals((await anna.send("/auth/v1/ok")).status, 404);
    assertEquals((await anna.send("/api/auth/ok")).status, 404);
  });
});

Deno.test("a project without password sign-in has no such sign-in", async () => {
  const closed = { ...project, auth: { ...project.auth, emailAndPassword: false } };
  await withAccounts({ project: closed }, async (underTest) => {
    const body = { name: "anna", email: "anna@example.com", password: PASSWORD };
    assertEquals((await underTest.browser().send("/sign-up/email", body)).status, 400);
    assertEquals((await underTest.browser().send("/sign-in/email", body)).status, 400);
    assertEquals(await count(underTest, "auth_user"), 0);
  });
});

Deno.test("a project without organizations has none, and its users' roles are their own", async () => {
  await withAccounts({ project: { ...project, multiTenant: false } }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    assertEquals((await anna.send("/organization/create", { name: "a", slug: "a" })).status, 404);
    await underTest.database.write((transaction) =>
      transaction.run({ sql: "UPDATE auth_user SET role = ?", args: ["editor,appmanager"] })
    );
    const principal = await principalOf(underTest, anna);
    assertEquals(pick(principal), { organizationId: null, roles: ["editor"] });
    assertEquals(principal?.userRole, "appmanager");
  });
});

Deno.test("a forgotten password is reset by the token in the mail, which ends every session", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await anna.expect(200, "/request-password-reset", { email: "anna@example.com" });
    const said = underTest.sent.at(-1)?.text ?? "";
    const token = /\/auth\/v1\/reset-password\/(\w+)/.exec(said)?.[1];
    const newPassword = "another horse battery staple";
    await underTest.browser().expect(200, "/reset-password", { token, newPassword });
    await underTest.browser().expect(400, "/reset-password", { token, newPassword });
    assertEquals(await principalOf(underTest, anna), null);
    const body = { email: "anna@example.com" };
    await underTest.browser().expect(401, "/sign-in/email", { ...body, password: PASSWORD });
    await underTest.browser().expect(200, "/sign-in/email", { ...body, password: newPassword });
  });
});

Deno.test("the link in the mail confirms the address, and only for its own account", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await underTest.signedUp("ben");
    const message = underTest.sent.find(({ to }) => to === "anna@example.com");
    const link = new URL(message?.text.match(/http\S+/)?.[0] ?? "about:blank");
    assertEquals(link.origin + link.pathname, `${underTest.baseUrl}/auth/v1/verify-email`);
    const token = link.searchParams.get("token") ?? "";
    const other = token.startsWith("X") ? "Y" : "X";
    await anna.expect(400, "/verify-email", { token: `${other}${token.slice(1)}` });
    assertEquals(await verified(underTest), []);
    await anna.expect(200, "/verify-email", { token });
    assertEquals(await verified(underTest), ["anna@example.com"]);
  });
});

Deno.test("a project that wants a mail server has no message with a link in the log", async () => {
  const smtp = { ...project, email: { ...project.email, provider: "smtp" as const } };
  for (const [named, expected] of [[project, true], [smtp, false]] as const) {
    await withAccounts({ project: named, email: "default" }, async (underTest) => {
      await underTest.signedUp("anna");
      const said = underTest.log.map(({ level, fields }) => ({ level, fields }));
      assertEquals(JSON.stringify(said).includes("token="), expected);
      assertEquals(said.map(({ level }) => level), [expected ? "info" : "error"]);
    });
  }
});

Deno.test("in production sign-ins are counted by the platform's address, not by a header", async () => {
  await withAccounts({ production: true }, async (underTest) => {
    const attempts = (clientIp: string, headers: Record<string, string>) =>
      underTest.browser({ clientIp }).send("/sign-in/email", {
        email: "nobody@example.com",
        password: PASSWORD,
      }, headers);
    const spoofed = (n: number) => ({
      "x-forwarded-for": `198.51.100.${n}`,
      "x-quickback-client-ip": `198.51.100.${n}`,
    });
    const statuses: number[] = [];
    for (const n of [1, 2, 3, 4]) {
      statuses.push((await attempts("203.0.113.77", spoofed(n))).status);
    }
    assertEquals(statuses, [401, 401, 401, 429]);
    assertEquals((await attempts("203.0.113.78", {})).status, 401);
  });
});

Deno.test("routes of the library that this service does not offer are absent", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    for (
      const path of ["/sign-in/social", "/link-social", "/organization/delete", "/get-access-token"]
    ) {
      assertEquals((await anna.send(path, { provider: "github" })).status, 404, path);
    }
    for (const path of ["/error", "/reference", "/open-api/generate-schema", "/jwks", "/token"]) {
      assertEquals((await anna.send(path)).status, 404, path);
    }
  });
});

/** Addresses of other pages, in the spellings that are taken for one's own. */
const ELSEWHERE = [
  "https://evil.example",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "https://localhost:8000@evil.example/",
  "https://localhost.evil.example/",
];

Deno.test("no account route leads a visitor to a foreign page", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    for (const url of ELSEWHERE) {
      const email = "anna@example.com";
      const answers = [
        await anna.send("/request-password-reset", { email, redirectTo: url }),
        await anna.send("/send-verification-email", { email, callbackURL: url }),
        await anna.send("/sign-in/email", { email, password: "x", callbackURL: url }),
      ];
      assertEquals(answers.map(({ status }) => status), [403, 403, 403], url);
    }
  });
});

async function createOrganization(browser: Browser, slug: string): Promise<string> {
  return idOf(await browser.expect(200, "/organization/create", { name: slug, slug }));
}

async function invite(browser: Browser, email: string, role: readonly string[]): Promise<string> {
  return idOf(await browser.expect(200, "/organization/invite-member", { email, role }));
}

async function join(browser: Browser, invitationId: string): Promise<void> {
  await browser.expect(200, "/organization/accept-invitation", { invitationId });
}

async function signedIn(underTest: AccountsUnderTest, name: string): Promise<Principal | null> {
  const browser = underTest.browser();
  await browser.expect(200, "/sign-in/email", { email: `${name}@example.com`, password: PASSWORD });
  return principalOf(underTest, browser);
}

async function memberIdOf({ database }: AccountsUnderTest, email: string): Promise<string> {
  const { rows } = await database.run({
    sql: "SELECT m.id FROM auth_member m JOIN auth_user u ON u.id = m.user_id WHERE u.email = ?",
    args: [email],
  });
  return String(rows[0]?.[0]);
}

async function count({ database }: AccountsUnderTest, table: string): Promise<number> {
  const { rows } = await database.run({ sql: `SELECT count(*) FROM ${table}`, args: [] });
  return Number(rows[0]?.[0]);
}

async function verified({ database }: AccountsUnderTest): Promise<readonly unknown[]> {
  const sql = "SELECT email FROM auth_user WHERE email_verified = 1";
  return (await database.run({ sql, args: [] })).rows.flat();
}

function pick(principal: Principal | null) {
  return principal && { organizationId: principal.organizationId, roles: principal.roles };
}

function idOf(record: unknown): string {
  if (typeof record !== "object" || record === null || !("id" in record)) {
    throw new Error(`Expected a record with an id, got ${JSON.stringify(record)}`);
  }
  return String(record.id);
}
