/** Definitions 6: `hooks/auth.ts` around accounts and organizations. */
import { assert, assertEquals } from "@std/assert";
import type { LogEntry } from "../../shared/runtime/mod.ts";
import type { ApiUnderTest } from "../support/api.ts";
import { founder, ORIGIN, signedUp, withAccountsApi } from "../support/accounts_api.ts";
import { withCompiled } from "../support/compiled_actions.ts";

const NOTES = `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { organizationId: q.scope("organization"), text: q.text().required() },
  guards: { createable: ["text"] },
  read: { access: { roles: ["owner", "member"] } },
});
`;

const HOOKS = `import { ActionError, type AuthHooks } from "quickback";
import notes from "../features/notes/notes";

export default {
  beforeSignUp({ user }) {
    if (user.name === "banned") throw new ActionError("Not here", "NOT_WELCOME", 403, { secret: 1 });
    if (user.name === "broken") throw new Error("secret detail");
  },
  beforeOrganizationCreated({ organization }) {
    if (organization.slug === "taken-away") throw new ActionError("Reserved", "RESERVED_SLUG", 409);
  },
  onSignUp({ user }) {
    if (user.name === "clumsy") throw new Error("The welcome failed");
  },
  async onOrganizationCreated({ organization, user, scopeTo }) {
    await scopeTo({ organizationId: organization.id, userId: user.id }, async ({ db }) => {
      await db.insert(notes).values({ text: \`Welcome to \${organization.name}, \${user.name}\` });
    });
  },
  async onMemberAdded({ organization, user, role, scopeTo }) {
    await scopeTo({ organizationId: organization.id }, async ({ db }) => {
      await db.insert(notes).values({ text: \`\${user.name} joined as \${role}\` });
    });
  },
  async onMemberRemoved({ organization, user, scopeTo }) {
    await scopeTo({ organizationId: organization.id }, async ({ db }) => {
      await db.insert(notes).values({ text: \`\${user.name} left\` });
    });
  },
} satisfies AuthHooks;
`;

function withHooks(
  body: (api: ApiUnderTest, log: readonly LogEntry[]) => Promise<void>,
): Promise<void> {
  const log: LogEntry[] = [];
  return withCompiled({
    "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
    "quickback/features/notes/notes.ts": NOTES,
    "quickback/hooks/auth.ts": HOOKS,
  }, ({ model, code }) =>
    withAccountsApi((api) => body(api, log), {
      project: model,
      code,
      failed: (entry) => void log.push(entry),
    }));
}

const signUp = (api: ApiUnderTest, name: string) =>
  api.ask("/auth/v1/sign-up/email", {
    body: { name, email: `${name}@example.com`, password: "correct horse battery" },
    headers: ORIGIN,
  });

async function count(api: ApiUnderTest, table: string): Promise<unknown> {
  const { rows } = await api.database.run({ sql: `SELECT count(*) FROM ${table}`, args: [] });
  return rows[0]?.[0];
}

Deno.test("a hook before a sign-up refuses it with its own words, and nothing is left", async () => {
  await withHooks(async (api) => {
    const refused = await signUp(api, "banned");
    assertEquals([refused.status, refused.body["code"]], [403, "NOT_WELCOME"]);
    assertEquals(refused.body["message"], "Not here");
    assert(!refused.text.includes("secret"));
    assertEquals(await count(api, "auth_user"), 0);
  });
});

Deno.test("a hook before a sign-up that breaks refuses it too, and tells nothing", async () => {
  await withHooks(async (api, log) => {
    const broken = await signUp(api, "broken");
    assertEquals(broken.status >= 400, true);
    assert(!broken.text.includes("secret"));
    assertEquals(await count(api, "auth_user"), 0);
    assert(log.some(({ message }) => message === "Account hook beforeSignUp failed"));
  });
});

Deno.test("a hook after a sign-up cannot undo it; what it throws is logged", async () => {
  await withHooks(async (api, log) => {
    assertEquals((await signUp(api, "clumsy")).status, 200);
    assertEquals(log.map(({ message }) => message), ["Account hook onSignUp failed"]);
  });
});

Deno.test("hooks of organizations write in the scope that they name, before the answer", async () => {
  await withHooks(async (api) => {
    const anna = await founder(api, "anna", "harbour");
    const { body } = await anna.ask("notes");
    const texts = Array.isArray(body["data"]) ? body["data"].map(({ text }) => text) : [];
    assertEquals(texts.sort(), ["Welcome to harbour, anna", "anna joined as owner"]);
    const refused = await anna.ask("/auth/v1/organization/create", {
      name: "x",
      slug: "taken-away",
    });
    assertEquals([refused.status, refused.body["code"]], [400, "RESERVED_SLUG"]);
    assertEquals(await count(api, "auth_organization"), 1);
  });
});

Deno.test("members who come by invitation and go are told of", async () => {
  await withHooks(async (api) => {
    const anna = await founder(api, "anna", "harbour");
    const bert = await signedUp(api, "bert");
    const invited = await anna.ask("/auth/v1/organization/invite-member", {
      email: "bert@example.com",
      role: "member",
    });
    assertEquals(invited.status, 200, invited.text);
    await api.database.write((transaction) =>
      transaction.run({ sql: "UPDATE auth_user SET email_verified = 1", args: [] })
    );
    const accepted = await bert.ask("/auth/v1/organization/accept-invitation", {
      invitationId: invited.body["id"],
    });
    assertEquals(accepted.status, 200, accepted.text);
    const left = await bert.ask("/auth/v1/organization/leave", {
      organizationId: invited.body["organizationId"],
    });
    assertEquals(left.status, 200, left.text);
    const { rows } = await api.database.run({
      sql: "SELECT text FROM notes WHERE text LIKE 'bert%' ORDER BY text",
      args: [],
    });
    assertEquals(rows.map(([text]) => text), ["bert joined as member", "bert left"]);
  });
});
