/** The account library's own client against all that the accounts offer (definitions 7, "auth routes"). */
import { assertEquals, assertMatch } from "@std/assert";
import { apiKeyClient } from "@better-auth/api-key/client";
import { createAuthClient } from "better-auth/client";
import { adminClient, organizationClient } from "better-auth/client/plugins";
import {
  type AccountsOptions,
  type AccountsUnderTest,
  type Browser,
  PASSWORD,
  withAccounts,
} from "../support/accounts.ts";

function clientOf({ baseUrl }: AccountsUnderTest, browser: Browser, basePath: string) {
  return createAuthClient({
    baseURL: baseUrl,
    basePath,
    plugins: [
      organizationClient({ teams: { enabled: true } }),
      adminClient(),
      apiKeyClient(),
    ],
    fetchOptions: { customFetchImpl: (input, init) => browser.fetch(new Request(input, init)) },
  });
}

type Client = ReturnType<typeof clientOf>;

/** At both addresses of the account routes. */
function clientTest(
  name: string,
  body: (client: Client, underTest: AccountsUnderTest, visitor: () => Client) => Promise<void>,
  options: AccountsOptions = {},
): void {
  for (const basePath of ["/api/auth", "/auth/v1"]) {
    Deno.test(`the library's client at ${basePath} ${name}`, () =>
      withAccounts(options, async (underTest) => {
        const visitor = () => clientOf(underTest, underTest.browser(), basePath);
        const client = visitor();
        await signUp(client, "anna");
        await body(client, underTest, visitor);
      }));
  }
}

async function signUp(client: Client, name: string): Promise<string> {
  const email = `${name}@example.com`;
  return ok(await client.signUp.email({ name, email, password: PASSWORD })).user.id;
}

function ok<T>({ data, error }: { readonly data: T; readonly error: unknown }): NonNullable<T> {
  assertEquals(error, null);
  if (data === null || data === undefined) throw new Error("Nothing was answered");
  return data;
}

const linkIn = (text = "") => URL.parse(/https?:\S+/.exec(text)?.[0] ?? "");

clientTest("confirms an address by the link in its message", async (client, { sent }) => {
  const link = linkIn(sent[0]?.text);
  assertMatch(link?.pathname ?? "", /\/verify-email$/);
  const body = { token: link?.searchParams.get("token") };
  ok(await client.$fetch("/verify-email", { method: "POST", body }));
  assertEquals(ok(await client.getSession()).user.emailVerified, true);
});

clientTest(
  "resets a password once, and ends the sessions of the old one",
  async (client, { sent }, visitor) => {
    const email = "anna@example.com";
    ok(await client.requestPasswordReset({ email, redirectTo: "http://localhost:8000/reset" }));
    const token = linkIn(sent.at(-1)?.text)?.pathname.split("/").at(-1) ?? "";
    const newPassword = "another horse battery staple";
    ok(await client.resetPassword({ newPassword, token }));
    assertEquals((await client.getSession()).data, null);
    assertEquals((await client.resetPassword({ newPassword, token })).error?.status, 400);
    assertEquals((await visitor().signIn.email({ email, password: PASSWORD })).error?.status, 401);
    ok(await visitor().signIn.email({ email, password: newPassword }));
  },
);

clientTest("lists sessions and ends another one", async (client, _underTest, visitor) => {
  const other = visitor();
  ok(await other.signIn.email({ email: "anna@example.com", password: PASSWORD }));
  assertEquals(ok(await client.listSessions()).length, 2);
  const token = ok(await other.getSession()).session.token;
  ok(await client.revokeSession({ token }));
  assertEquals((await other.getSession()).data, null);
  assertEquals(ok(await client.listSessions()).length, 1);
});

clientTest(
  "invites, makes teams, changes roles and removes members",
  async (client, underTest, visitor) => {
    ok(await client.organization.create({ name: "Acme", slug: "acme" }));
    const team = ok(await client.organization.createTeam({ name: "Blue" }));
    const ben = visitor();
    const userId = await signUp(ben, "ben");
    const invited = ok(
      await client.organization.inviteMember({ email: "ben@example.com", role: "member" }),
    );
    assertEquals(underTest.sent.at(-1)?.to, "ben@example.com");
    const { member } = ok(await ben.organization.acceptInvitation({ invitationId: invited.id }));
    ok(await client.organization.addTeamMember({ teamId: team.id, userId }));
    ok(await ben.organization.setActiveTeam({ teamId: team.id }));
    assertEquals(ok(await client.organization.listTeams()).map(({ name }) => name), ["Blue"]);
    ok(await client.organization.updateMemberRole({ memberId: member.id, role: "admin" }));
    ok(await client.organization.removeMember({ memberIdOrEmail: "ben@example.com" }));
    assertEquals(ok(await client.organization.listMembers()).members.length, 1);
  },
);

clientTest("makes, lists, renames and deletes an API key", async (client, { accounts }) => {
  const made = ok(await client.apiKey.create({ name: "ci", expiresIn: 3600 }));
  assertEquals((await accounts.apiKey(made.key)).kind, "principal");
  ok(await client.apiKey.update({ keyId: made.id, name: "deploy" }));
  assertEquals(ok(await client.apiKey.list()).apiKeys.map(({ name }) => name), ["deploy"]);
  ok(await client.apiKey.delete({ keyId: made.id }));
  assertEquals(await accounts.apiKey(made.key), { kind: "refused", code: "AUTH_INVALID_TOKEN" });
});

clientTest(
  "is refused platform roles, bans and impersonation without being sysadmin",
  async (client) => {
    const userId = ok(await client.getSession()).user.id;
    const status = async (answer: Promise<{ error: { status: number } | null }>) =>
      (await answer).error?.status;
    assertEquals(await status(client.admin.setRole({ userId, role: "admin" })), 403);
    assertEquals(await status(client.admin.listUsers({ query: {} })), 403);
    assertEquals(await status(client.admin.banUser({ userId })), 403);
  },
);

clientTest(
  "lets a sysadmin name roles, and lock somebody out at once",
  async (client, { accounts, database }, visitor) => {
    const ben = visitor();
    const userId = await signUp(ben, "ben");
    const { key } = ok(await ben.apiKey.create({}));
    const named = await client.$fetch("/admin/set-role", {
      method: "POST",
      body: { userId, role: "appmanager" },
    });
    assertEquals(named.error, null);
    const { rows } = await database.run({
      sql: "SELECT role FROM auth_user WHERE id = ?",
      args: [userId],
    });
    assertEquals(rows, [["appmanager"]]);
    ok(await client.admin.banUser({ userId }));
    assertEquals((await ben.getSession()).data, null);
    assertEquals((await accounts.apiKey(key)).kind, "refused");
    const again = await ben.signIn.email({ email: "ben@example.com", password: PASSWORD });
    assertEquals(again.error?.status, 403);
    const impersonated = await client.admin.impersonateUser({ userId });
    assertEquals(impersonated.error?.status, 404);
  },
  { sysadminEmails: ["anna@example.com"] },
);
