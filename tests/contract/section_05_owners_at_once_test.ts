/** Two owners who go at the same moment leave an owner behind, whichever way they go (definitions 7). */
import { assertEquals } from "@std/assert";
import { type AccountsUnderTest, type Browser, withAccounts } from "../support/accounts.ts";

interface Owner {
  readonly browser: Browser;
  readonly userId: string;
  readonly memberId: string;
}

interface Owned {
  readonly underTest: AccountsUnderTest;
  readonly organizationId: string;
  readonly anna: Owner;
  readonly ben: Owner;
  readonly root: Browser;
}

type Step = (owned: Owned) => readonly [Promise<Response>, Promise<Response>];

const idOf = (value: unknown) => String(Object(value).id);

async function withOwners(body: (owned: Owned) => Promise<void>): Promise<void> {
  await withAccounts({ sysadminEmails: ["root@example.com"] }, async (underTest) => {
    const root = await underTest.signedUp("root");
    const anna = await underTest.signedUp("anna");
    const organization = await anna.expect(200, "/organization/create", {
      name: "Acme",
      slug: "acme",
    });
    const ben = await underTest.signedUp("ben");
    const { id: invitationId } = await anna.expect(200, "/organization/invite-member", {
      email: "ben@example.com",
      role: "owner",
    });
    const { member } = await ben.expect(200, "/organization/accept-invitation", { invitationId });
    const [founder]: unknown[] = Object(organization["members"]);
    const userIdOf = async (browser: Browser) =>
      idOf((await browser.expect(200, "/get-session"))["user"]);
    await body({
      underTest,
      root,
      organizationId: idOf(organization),
      anna: { browser: anna, userId: await userIdOf(anna), memberId: idOf(founder) },
      ben: { browser: ben, userId: await userIdOf(ben), memberId: idOf(member) },
    });
  });
}

const STEPS: Readonly<Record<string, Step>> = {
  "both leave": ({ anna, ben, organizationId }) => [
    anna.browser.send("/organization/leave", { organizationId }),
    ben.browser.send("/organization/leave", { organizationId }),
  ],
  "each removes the other": ({ anna, ben, organizationId }) => [
    anna.browser.send("/organization/remove-member", {
      memberIdOrEmail: ben.memberId,
      organizationId,
    }),
    ben.browser.send("/organization/remove-member", {
      memberIdOrEmail: anna.memberId,
      organizationId,
    }),
  ],
  "each makes the other a member": ({ anna, ben, organizationId }) => [
    anna.browser.send("/organization/update-member-role", {
      memberId: ben.memberId,
      role: "member",
      organizationId,
    }),
    ben.browser.send("/organization/update-member-role", {
      memberId: anna.memberId,
      role: "member",
      organizationId,
    }),
  ],
  "one leaves, the other is made a member": ({ anna, ben, organizationId }) => [
    anna.browser.send("/organization/leave", { organizationId }),
    ben.browser.send("/organization/update-member-role", {
      memberId: ben.memberId,
      role: "member",
      organizationId,
    }),
  ],
  "sysadmin removes both accounts": ({ anna, ben, root }) => [
    root.send("/admin/remove-user", { userId: anna.userId }),
    root.send("/admin/remove-user", { userId: ben.userId }),
  ],
};

async function ownersOf({ underTest, organizationId }: Owned): Promise<number> {
  const sql = `SELECT count(*) FROM "auth_member" WHERE "organization_id" = ? AND "role" = 'owner'`;
  const { rows } = await underTest.database.run({ sql, args: [organizationId] });
  return Number(rows[0]?.[0]);
}

/** One of both is done, the other refused. */
async function assertOneDone(owned: Owned, both: ReturnType<Step>): Promise<void> {
  const answers = await Promise.all(both);
  const statuses = answers.map(({ status }) => status);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  assertEquals(await ownersOf(owned), 1, String(statuses));
  assertEquals(statuses.filter((status) => status < 300).length, 1, String(statuses));
  assertEquals(statuses.every((status) => status < 500), true, String(statuses));
}

for (const [name, step] of Object.entries(STEPS)) {
  Deno.test(`an owner stays when, at the same moment, ${name}`, () =>
    withOwners((owned) => assertOneDone(owned, step(owned))));
}

Deno.test("of two owners who delete their accounts at the same moment one keeps account, sessions and password", () =>
  withOwners(async (owned) => {
    const { underTest, anna, ben } = owned;
    const links = [];
    for (const { browser } of [anna, ben]) {
      await browser.expect(200, "/delete-user", {});
      links.push(new URL(/https?:\S+/.exec(underTest.sent.at(-1)?.text ?? "")![0]));
    }
    const follow = (browser: Browser, link: URL | undefined) =>
      browser.send(link?.pathname ?? "", { token: link?.searchParams.get("token") });
    const [first, second] = links;
    await assertOneDone(owned, [follow(anna.browser, first), follow(ben.browser, second)]);
    for (const table of ["auth_account", "auth_session"]) {
      const sql = `SELECT count(*) FROM "${table}" WHERE "user_id" IN
        (SELECT "user_id" FROM "auth_member" WHERE "role" = 'owner')`;
      const { rows } = await underTest.database.run({ sql, args: [] });
      assertEquals(rows, [[1]], table);
    }
  }));
