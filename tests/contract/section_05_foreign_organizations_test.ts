/** Account routes and organizations of others (contract 5.1, definitions 2 `features.organizations`): each route, asked by an outsider. */
import { assert, assertEquals } from "@std/assert";
import { founder, type Visitor, withAccountsApi } from "../support/accounts_api.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";

/** An organization with a team and an open invitation, and somebody who is in none of it. */
interface Cast {
  readonly organizationId: string;
  readonly memberId: string;
  readonly userId: string;
  readonly teamId: string;
  readonly invitationId: string;
}

const SECRETS = ["acme", "anna", "carl", "Blue"];

async function castOf(anna: Visitor): Promise<Cast> {
  const body = async (path: string, sent?: unknown) => {
    const answer = await anna.ask(`/auth/v1${path}`, sent);
    assertEquals(answer.status, 200, `${path} ${answer.text}`);
    return answer.body;
  };
  const full = await body("/organization/get-full-organization");
  const members = full["members"];
  assert(Array.isArray(members));
  const team = await body("/organization/create-team", { name: "Blue" });
  const invited = await body("/organization/invite-member", {
    email: "carl@example.com",
    role: "member",
  });
  return {
    organizationId: String(full["id"]),
    memberId: String(members[0].id),
    userId: String(members[0].userId),
    teamId: String(team["id"]),
    invitationId: String(invited["id"]),
  };
}

type Route = readonly [path: string, body?: (cast: Cast) => unknown];

const ROUTES: readonly Route[] = [
  ["/organization/get-full-organization?organizationId=ORG"],
  ["/organization/get-full-organization?organizationSlug=acme"],
  ["/organization/list-members?organizationId=ORG"],
  ["/organization/list-members?organizationSlug=acme"],
  ["/organization/list-invitations?organizationId=ORG"],
  ["/organization/list-teams?organizationId=ORG"],
  ["/organization/list-team-members?teamId=TEAM"],
  ["/organization/get-invitation?id=INVITATION"],
  ["/organization/get-active-member-role?organizationId=ORG"],
  ["/organization/set-active-team", ({ teamId }) => ({ teamId })],
  ["/organization/update", ({ organizationId }) => ({ organizationId, data: { name: "Mine" } })],
  ["/organization/delete", ({ organizationId }) => ({ organizationId })],
  ["/organization/leave", ({ organizationId }) => ({ organizationId })],
  [
    "/organization/invite-member",
    ({ organizationId }) => ({ organizationId, email: "ben@example.com", role: "owner" }),
  ],
  ["/organization/cancel-invitation", ({ invitationId }) => ({ invitationId })],
  ["/organization/accept-invitation", ({ invitationId }) => ({ invitationId })],
  ["/organization/reject-invitation", ({ invitationId }) => ({ invitationId })],
  [
    "/organization/update-member-role",
    ({ organizationId, memberId }) => ({ organizationId, memberId, role: "member" }),
  ],
  [
    "/organization/remove-member",
    ({ organizationId, memberId }) => ({ organizationId, memberIdOrEmail: memberId }),
  ],
  ["/organization/create-team", ({ organizationId }) => ({ organizationId, name: "Red" })],
  ["/organization/update-team", ({ teamId }) => ({ teamId, data: { name: "Red" } })],
  ["/organization/remove-team", ({ organizationId, teamId }) => ({ organizationId, teamId })],
  ["/organization/add-team-member", ({ teamId, userId }) => ({ teamId, userId })],
  ["/organization/remove-team-member", ({ teamId, userId }) => ({ teamId, userId })],
  [
    "/organization/add-member",
    ({ organizationId }) => ({ organizationId, userId: "ben", role: "owner" }),
  ],
  ["/organization/set-active", ({ organizationId }) => ({ organizationId })],
  ["/organization/set-active", () => ({ organizationSlug: "acme" })],
];

/** All that the outsider could have changed. */
async function stateOf(api: ApiUnderTest): Promise<unknown> {
  const tables = ["organization", "member", "team", "team_member", "invitation"];
  return await Promise.all(
    tables.map(async (table) =>
      (await api.database.run({ sql: `SELECT * FROM auth_${table} ORDER BY id`, args: [] })).rows
    ),
  );
}

const withIds = (path: string, cast: Cast) =>
  path.replace("ORG", cast.organizationId).replace("TEAM", cast.teamId)
    .replace("INVITATION", cast.invitationId);

function assertSilent({ status, text }: Answer, what: string): void {
  assert(status >= 400 && status < 500, `${what} answered ${status} ${text}`);
  for (const secret of SECRETS) assert(!text.includes(secret), `${what} tells ${text}`);
}

Deno.test("no account route tells an outsider of an organization, or changes it", async () => {
  await withAccountsApi(async (api) => {
    const cast = await castOf(await founder(api, "anna", "acme"));
    const ben = await founder(api, "ben", "bolt");
    const before = await stateOf(api);
    for (const [path, body] of ROUTES) {
      // A refused look at an organization leaves the library's session in none.
      await ben.ask("/auth/v1/organization/set-active", { organizationSlug: "bolt" });
      assertSilent(await ben.ask(`/auth/v1${withIds(path, cast)}`, body?.(cast)), path);
    }
    assertEquals(await stateOf(api), before);
    const session = await ben.ask("/auth/v1/get-session");
    assert(!session.text.includes(cast.organizationId));
  });
});
