/** The end or change of a session counts with the next request, in the process where it happened and in every other one (contract 5.1). */
import { assert, assertEquals } from "@std/assert";
import {
  detached,
  memoryRateLimiter,
  openDatabase,
  systemClock,
} from "../../library/platform/mod.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import {
  type AccountsUnderTest,
  AUTH_SECRET,
  type Browser,
  withAccounts,
} from "../support/accounts.ts";
import { project } from "../support/sample_project.ts";

const helpdesk = { ...project, auth: { ...project.auth, roles: ["admin", "agent", "lead"] } };

interface Stage {
  readonly here: AccountsUnderTest;
  /** An administrator of accounts. */
  readonly root: Browser;
  /** The owner of Ben's organization. */
  readonly anna: Browser;
  readonly ben: Browser;
  readonly benId: string;
  readonly teamId: string;
}

const AGENT = { organization: true, team: true, roles: ["agent"] };

/** Ben's principal once something has happened. Null: nobody. */
const EVENTS: readonly (readonly [
  what: string,
  happen: (stage: Stage) => Promise<unknown>,
  seen: typeof AGENT | null,
])[] = [
  ["a sign-out", ({ ben }) => ben.expect(200, "/sign-out", {}), null],
  [
    "all of a user's sessions taken back",
    ({ root, benId }) => root.expect(200, "/admin/revoke-user-sessions", { userId: benId }),
    null,
  ],
  ["a ban", ({ root, benId }) => root.expect(200, "/admin/ban-user", { userId: benId }), null],
  [
    "a ban that an operator writes",
    ({ here }) => write(here, "UPDATE auth_user SET banned = 1 WHERE name = 'ben'"),
    null,
  ],
  [
    "a ban that is over",
    ({ here }) =>
      write(
        here,
        "UPDATE auth_user SET banned = 1, ban_expires = '2020-01-01T00:00:00.000Z' WHERE name = 'ben'",
      ),
    AGENT,
  ],
  [
    "an account removed",
    ({ root, benId }) => root.expect(200, "/admin/remove-user", { userId: benId }),
    null,
  ],
  [
    "a session's end",
    ({ here }) => write(here, "UPDATE auth_session SET expires_at = '2020-01-01T00:00:00.000Z'"),
    null,
  ],
  [
    "a changed role",
    async ({ here, anna }) => {
      const body = { memberId: await memberIdOf(here), role: "lead" };
      await anna.expect(200, "/organization/update-member-role", body);
    },
    { ...AGENT, roles: ["lead"] },
  ],
  [
    "a lost membership",
    async ({ here, anna }) => {
      const body = { memberIdOrEmail: await memberIdOf(here) };
      await anna.expect(200, "/organization/remove-member", body);
    },
    { organization: false, team: false, roles: [] },
  ],
  [
    "a team that is left",
    ({ anna, benId, teamId }) =>
      anna.expect(200, "/organization/remove-team-member", { teamId, userId: benId }),
    { ...AGENT, team: false },
  ],
];

for (const [what, happen, seen] of EVENTS) {
  Deno.test(`${what} counts with the next request of a session, here and in another process`, async () => {
    await withAccounts(
      { project: helpdesk, sysadminEmails: ["root@example.com"] },
      async (here) => {
        const stage = await prepared(here);
        await using elsewhere = await anotherProcess(here);
        // As a browser that does not know yet what happened.
        const { headers } = stage.ben;
        const all = [here.accounts, elsewhere.accounts];
        const whoIsBen = async () =>
          await Promise.all(all.map(async (accounts) => {
            const principal = await accounts.session(headers);
            return principal && {
              organization: principal.organizationId !== null,
              team: principal.teamId === stage.teamId,
              roles: principal.roles,
            };
          }));
        assertEquals(await whoIsBen(), [AGENT, AGENT]);
        await happen(stage);
        assertEquals(await whoIsBen(), [seen, seen]);
        assertEquals((await here.accounts.signedIn(headers)) === null, seen === null);
      },
    );
  });
}

Deno.test("a session is what the account library takes for one, whatever else the cookie header says", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const ben = await underTest.signedUp("ben");
    const [name = "", value = ""] = [...anna.cookies][0] ?? [];
    const text = decodeURIComponent(value);
    const bens = [...ben.cookies.values()][0] ?? "";
    const headers = [
      `${name}=${value}`,
      `theme=dark; ${name}=${value}; lang=en`,
      ` ${name} = ${value} `,
      `${name}=${text}`,
      `${name}=${value}; ${name}=${value}`,
      `${name}=${value}; ${name}=${bens}`,
      `${name}=${value}; __Secure-${name}=${bens}`,
      `__Secure-${name}=${value}`,
      `x${name}=${value}`,
      `${name}=${text.slice(0, text.lastIndexOf("."))}`,
      `${name}=${text.slice(0, -4)}`,
      `${name}=${text.split(".")[0]}.${bens.split(".")[1]}`,
      `${name}=%zz`,
      `${name}=.`,
      `${name}=`,
      name,
    ];
    let taken = 0;
    for (const cookie of headers) {
      const known = await underTest.browser().send("/get-session", undefined, { cookie });
      const [theirs, ours] = [
        await known.json(),
        await underTest.accounts.accountOf(new Headers({ cookie })),
      ];
      assertEquals(ours, theirs?.user.email ?? null, cookie);
      if (ours !== null) taken += 1;
    }
    assert(taken >= 4 && taken < headers.length, `${taken}`);
  });
});

Deno.test("a session is prolonged by the route that renews its cookie, and by nothing else", async () => {
  await withAccounts({}, async (underTest) => {
    const anna = await underTest.signedUp("anna");
    const end = new Date(Date.now() + 3 * 24 * 60 * 60 * 1000).toISOString();
    await write(underTest, `UPDATE auth_session SET expires_at = '${end}'`);
    assert(await underTest.accounts.session(anna.headers));
    assertEquals(await endOf(underTest), end);
    await anna.expect(200, "/get-session");
    assert(await endOf(underTest) > end);
    assertEquals(anna.setCookies.length, 1);
    assert(await underTest.accounts.session(anna.headers));
  });
});

async function prepared(here: AccountsUnderTest): Promise<Stage> {
  const root = await here.signedUp("root");
  const anna = await here.signedUp("anna");
  const { id: organizationId } = await anna.expect(200, "/organization/create", {
    name: "acme",
    slug: "acme",
  });
  const ben = await here.signedUp("ben");
  const { user } = await ben.expect(200, "/get-session");
  const benId = String(Object.entries(user ?? {}).find(([key]) => key === "id")?.[1]);
  const { id: teamId } = await anna.expect(200, "/organization/create-team", { name: "first" });
  await write(
    here,
    "INSERT INTO auth_member (id, organization_id, user_id, role, created_at) VALUES " +
      `('m1', '${organizationId}', '${benId}', 'agent', '2026-01-01T00:00:00.000Z')`,
  );
  await anna.expect(200, "/organization/add-team-member", { teamId, userId: benId });
  await ben.expect(200, "/organization/set-active", { organizationId });
  await ben.expect(200, "/organization/set-active-team", { teamId });
  return { here, root, anna, ben, benId, teamId: String(teamId) };
}

/** Accounts with a connection and a memory of their own, over the same file. */
async function anotherProcess({ database, baseUrl }: AccountsUnderTest) {
  const { rows: [row] } = await database.run({
    sql: "SELECT file FROM pragma_database_list WHERE name = 'main'",
    args: [],
  });
  const own = await openDatabase({ url: `file:${row?.[0]}` });
  return {
    accounts: createAccounts(helpdesk, {
      database: own,
      settings: { baseUrl, authSecret: AUTH_SECRET, production: false },
      logger: { log: () => {} },
      limiter: memoryRateLimiter({ clock: systemClock }),
      detached,
    }),
    [Symbol.asyncDispose]: () => own.close(),
  };
}

function write({ database }: AccountsUnderTest, sql: string): Promise<unknown> {
  return database.write((transaction) => transaction.run({ sql, args: [] }));
}

async function memberIdOf({ database }: AccountsUnderTest): Promise<string> {
  const sql =
    "SELECT m.id FROM auth_member m JOIN auth_user u ON u.id = m.user_id WHERE u.name = 'ben'";
  return String((await database.run({ sql, args: [] })).rows[0]?.[0]);
}

async function endOf({ database }: AccountsUnderTest): Promise<string> {
  return String(
    (await database.run({ sql: "SELECT expires_at FROM auth_session", args: [] })).rows[0]?.[0],
  );
}
