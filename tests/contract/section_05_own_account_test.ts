/** Another address, and the end of an account (definitions 7, "account routes"). */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type AccountsUnderTest,
  type Browser,
  PASSWORD,
  withAccounts,
} from "../support/accounts.ts";
import { ConstraintError } from "../../shared/runtime/ports.ts";
import { project } from "../support/sample_project.ts";

const linkIn = (text = "") => /https?:\S+/.exec(text)?.[0] ?? "";

/** Does what the link of a message is for. */
async function follow(browser: Browser, link: string, more = {}): Promise<number> {
  const { pathname, searchParams } = new URL(link);
  const response = await browser.send(pathname, { token: searchParams.get("token"), ...more });
  await response.body?.cancel();
  return response.status;
}

async function addresses({ database }: AccountsUnderTest): Promise<unknown> {
  const sql = `SELECT "email", "email_verified" FROM "auth_user" ORDER BY "email"`;
  return (await database.run({ sql, args: [] })).rows;
}

Deno.test("another address counts once the link sent to it is followed, and the old one is told", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await anna.expect(200, "/change-email", { newEmail: "anna@new.example" });
    const [notice, confirmation] = underTest.sent.slice(-2);
    assertEquals([notice?.to, confirmation?.to], ["anna@example.com", "anna@new.example"]);
    assert(notice?.text.includes("anna@new.example") && linkIn(notice.text) === "");
    assertEquals(await addresses(underTest), [["anna@example.com", 0]]);
    assertEquals(await follow(anna, linkIn(confirmation?.text)), 200);
    assertEquals(await addresses(underTest), [["anna@new.example", 1]]);
    assertEquals(await follow(anna, linkIn(confirmation?.text)), 400);
    const visitor = underTest.browser();
    await visitor.expect(401, "/sign-in/email", { email: "anna@example.com", password: PASSWORD });
    await visitor.expect(200, "/sign-in/email", { email: "anna@new.example", password: PASSWORD });
  });
});

Deno.test("an address that somebody has is taken by nobody, and asking for it tells nothing", async () => {
  await withAccounts({}, async (underTest) => {
    await underTest.signedUp("ben");
    const anna = await underTest.signedUp("anna");
    const free = await anna.expect(200, "/change-email", { newEmail: "free@example.com" });
    const link = linkIn(underTest.sent.at(-1)?.text);
    const count = underTest.sent.length;
    assertEquals(await anna.expect(200, "/change-email", { newEmail: "ben@example.com" }), free);
    assertEquals(underTest.sent.length, count);
    const other = underTest.browser();
    await other.expect(200, "/sign-up/email", {
      name: "x",
      email: "free@example.com",
      password: PASSWORD,
    });
    // Answered as `DB_UNIQUE_VIOLATION` by the API.
    await assertRejects(() => follow(anna, link), ConstraintError);
    const told = await addresses(underTest);
    assertEquals(told, [["anna@example.com", 0], ["ben@example.com", 0], ["free@example.com", 0]]);
  });
});

Deno.test("an account is deleted by the link of its message, with sessions, memberships and keys", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    await anna.expect(400, "/delete-user", { password: "not the password" });
    await anna.expect(200, "/delete-user", { password: PASSWORD });
    const link = linkIn(underTest.sent.at(-1)?.text);
    assertEquals(await follow(underTest.browser(), link), 401);
    assertEquals(await follow(await underTest.signedUp("ben"), link), 403);
    assertEquals(await addresses(underTest), [["anna@example.com", 0], ["ben@example.com", 0]]);
  });
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const { key } = await anna.expect(200, "/api-key/create", {});
    await anna.expect(200, "/delete-user", {});
    assertEquals(await follow(anna, linkIn(underTest.sent.at(-1)?.text)), 200);
    assertEquals(await addresses(underTest), []);
    for (const table of ["auth_session", "auth_account", "auth_apikey"]) {
      const { rows } = await underTest.database.run({ sql: `SELECT 1 FROM "${table}"`, args: [] });
      assertEquals(rows, [], table);
    }
    assertEquals((await underTest.accounts.apiKey(String(key))).kind, "refused");
  });
});

Deno.test("the last owner of an organization stays until it is handed over, whoever deletes the account", async () => {
  await withAccounts({ sysadminEmails: ["root@example.com"] }, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const { id } = await anna.expect(200, "/organization/create", { name: "Acme", slug: "acme" });
    const ben = await underTest.signedUp("ben");
    const invited = await anna.expect(200, "/organization/invite-member", {
      email: "ben@example.com",
      role: "member",
    });
    const { member } = await ben.expect(200, "/organization/accept-invitation", {
      invitationId: invited["id"],
    });
    const root = await underTest.signedUp("root");
    const { user } = await anna.expect(200, "/get-session");
    const userId = Object(user).id;
    assertEquals((await anna.expect(409, "/delete-user", {}))["code"], "ORG_LAST_OWNER");
    assertEquals(
      (await root.expect(409, "/admin/remove-user", { userId }))["code"],
      "ORG_LAST_OWNER",
    );
    await ben.expect(403, "/admin/remove-user", { userId });
    const memberId = Object(member).id;
    await anna.expect(200, "/organization/update-member-role", {
      memberId,
      role: ["owner"],
      organizationId: id,
    });
    await root.expect(200, "/admin/remove-user", { userId });
    const { rows } = await underTest.database.run({
      sql: `SELECT "email" FROM "auth_user" ORDER BY "email"`,
      args: [],
    });
    assertEquals(rows, [["ben@example.com"], ["root@example.com"]]);
  });
});

Deno.test("where nobody may sign up, sysadmin makes accounts, and an owner invites them", async () => {
  const closed = { ...project, auth: { ...project.auth, disableSignUp: true } };
  await withAccounts({ project: closed }, async (underTest) => {
    const body = { name: "x", email: "x@example.com", password: PASSWORD };
    await underTest.browser().expect(400, "/sign-up/email", body);
    assertEquals(await addresses(underTest), []);
  });
});

Deno.test("where addresses must be confirmed, signing in waits for it", async () => {
  const careful = { ...project, auth: { ...project.auth, requireEmailVerification: true } };
  await withAccounts({ project: careful }, async (underTest) => {
    const anna = underTest.browser();
    const account = { name: "anna", email: "anna@example.com", password: PASSWORD };
    await anna.expect(200, "/sign-up/email", account);
    assertEquals(await underTest.accounts.session(anna.headers), null);
    assertEquals((await anna.expect(403, "/sign-in/email", account))["code"], "EMAIL_NOT_VERIFIED");
    await follow(anna, linkIn(underTest.sent[0]?.text), { password: PASSWORD });
    await anna.expect(200, "/sign-in/email", { email: account.email, password: PASSWORD });
  });
});
