/**
 * Account routes judge the caller's role before they read what is asked (contract 1.3, definitions 7 "account routes"): whoever
 * may not ask gets one answer, whatever they send.
 */
import { assert, assertEquals } from "@std/assert";
import type { ProjectModel } from "../../shared/model/mod.ts";
import type { AuthOperation } from "../../shared/surface/mod.ts";
import { authOperationsOf } from "../../shared/surface/mod.ts";
import {
  founder,
  helpdesk,
  ORIGIN,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";

const project: ProjectModel = {
  ...helpdesk,
  auth: { ...helpdesk.auth, impersonation: true },
};
const RULED = authOperationsOf(project).filter(({ role }) => role !== null);

type Ask = (operation: AuthOperation, sent: { body?: unknown; search?: string }) => Promise<Answer>;

function asking(api: ApiUnderTest, { cookie }: Visitor): Ask {
  return ({ path, method, body: schema }, { body, search = "" }) =>
    api.ask(`/auth/v1${path}${search}`, {
      method,
      headers: { ...ORIGIN, cookie },
      ...(schema === null ? {} : { body: body ?? {} }),
    });
}

/** Members of the body that name the organization. */
function named({ role, body }: AuthOperation, organizationId: string): Record<string, unknown> {
  const names = role?.kind === "organization" && body !== null ? role.names : [];
  return names.includes("organizationId") ? { organizationId } : {};
}

/** Bodies of every kind of wrong, and the right one. */
function bodiesOf(
  operation: AuthOperation,
  inOrganization: Record<string, unknown>,
): readonly unknown[] {
  if (operation.body === null) return [undefined];
  const { organizationId: _, ...example } = Object(operation.bodyExample);
  return [
    { nope: 1, ...inOrganization },
    { ...example, ...inOrganization },
    { ...example, ...inOrganization, nope: 1 },
    ...Object.keys(example).filter((name) => !Object.hasOwn(inOrganization, name))
      .map((name) => ({ ...example, ...inOrganization, [name]: { wrong: 1 } })),
    ...(Object.keys(inOrganization).length > 0 ? [] : [{}, "not json", [example]]),
  ];
}

async function idOf(visitor: Visitor): Promise<string> {
  const { body } = await visitor.ask("/auth/v1/organization/get-organization");
  return String(body["id"]);
}

/** Ben, a member of Anna's organization, in it. */
async function memberOf(api: ApiUnderTest, anna: Visitor): Promise<Visitor> {
  const ben = await signedUp(api, "ben");
  const { body } = await anna.ask("/auth/v1/organization/invite-member", {
    email: "ben@example.com",
    role: "member",
  });
  await ben.ask("/auth/v1/organization/accept-invitation", { invitationId: body["id"] });
  return ben;
}

async function assertOneRefusal(
  ask: Ask,
  operation: AuthOperation,
  inOrganization: Record<string, unknown>,
): Promise<void> {
  const answers = new Set<string>();
  for (const body of bodiesOf(operation, inOrganization)) {
    const answer = await ask(operation, { body });
    const { code, message, required } = { ...answer.body, ...Object(answer.body["details"]) };
    answers.add(JSON.stringify([answer.status, code, message, required]));
  }
  const [first = ""] = answers;
  assertEquals([answers.size, first.startsWith("[403,")], [1, true], [...answers].join(" "));
}

Deno.test("whoever has no role gets one refusal from every route that asks for one, whatever they send", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const organizationId = await idOf(anna);
    const carl = await signedUp(api, "carl");
    const dora = await founder(api, "dora", "dogs");
    for (const operation of RULED) {
      const isOptional = operation.role?.kind === "organization" && operation.role.isOptional;
      const names = named(operation, organizationId);
      if (!isOptional) await assertOneRefusal(asking(api, carl), operation, {});
      if (operation.role?.kind === "platform") {
        await assertOneRefusal(asking(api, dora), operation, {});
      } else if (Object.keys(names).length > 0) {
        await assertOneRefusal(asking(api, carl), operation, names);
        await assertOneRefusal(asking(api, dora), operation, names);
        // As of an organization that there is not.
        await assertOneRefusal(asking(api, dora), operation, { organizationId: "nowhere" });
      }
    }
  }, { project });
});

Deno.test("a member gets one refusal from every route that asks for owners or admins, whatever they send", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const organizationId = await idOf(anna);
    const ben = await memberOf(api, anna);
    const before = await api.database.run({ sql: "SELECT * FROM auth_member", args: [] });
    for (const operation of RULED) {
      if (operation.role?.kind !== "organization" || operation.role.roles === null) continue;
      await assertOneRefusal(asking(api, ben), operation, {});
      await assertOneRefusal(asking(api, ben), operation, named(operation, organizationId));
    }
    assertEquals(await api.database.run({ sql: "SELECT * FROM auth_member", args: [] }), before);
  }, { project });
});

Deno.test("whoever has the role is told what is wrong with a body", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    for (const operation of RULED.filter(({ body }) => body !== null)) {
      const answer = await asking(api, anna)(operation, { body: { nope: 1 } });
      assertEquals(
        [answer.status, answer.body["code"], Object(answer.body["details"]).fields?.nope],
        [400, "VALIDATION_ERROR", "Unknown field"],
        operation.path,
      );
    }
  }, { project, sysadminEmails: ["anna@example.com"] });
});

Deno.test("an organization that is named by its slug, or by an invitation, is judged by its own members", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const dora = await founder(api, "dora", "dogs");
    for (const slug of ["acme", "nowhere"]) {
      for (const path of ["get-organization", "get-full-organization", "list-members"]) {
        const search = `organizationSlug=${slug}&membersLimit=x&limit=x`;
        const answer = await dora.ask(`/auth/v1/organization/${path}?${search}`);
        assertEquals(
          [answer.status, answer.body["code"]],
          [403, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION"],
        );
      }
    }
    const invited = await anna.ask("/auth/v1/organization/invite-member", {
      email: "carl@example.com",
      role: "member",
    });
    const cancel = "/auth/v1/organization/cancel-invitation";
    const sent = { invitationId: invited.body["id"] };
    assertEquals((await dora.ask(cancel, sent)).status, 403);
    assertEquals((await dora.ask(cancel, { ...sent, nope: 1 })).status, 403);
    // A refused request leaves the session where it was.
    assertEquals(
      (await dora.ask("/auth/v1/organization/set-active", {
        organizationSlug: "acme",
      })).status,
      403,
    );
    assert((await dora.ask("/auth/v1/organization/get-active-member")).status === 200);
    assertEquals((await anna.ask(cancel, sent)).status, 200);
  }, { project });
});
