/** Roles in account routes have one spelling, which is judged, stored and read (contract 5.4, definitions 7 "auth routes"). */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import fc from "fast-check";
import { betterAuth } from "better-auth/minimal";
import { detached, memoryRateLimiter } from "../../library/platform/mod.ts";
import { createAccounts } from "../../shared/accounts/mod.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import { authOperationsOf } from "../../shared/surface/mod.ts";
import {
  founder,
  helpdesk,
  signedUp,
  type Visitor,
  withAccountsApi,
} from "../support/accounts_api.ts";
import type { Answer, ApiUnderTest } from "../support/api.ts";
import { withDatabase } from "../support/databases.ts";
import { sampleAuthOptions } from "../support/sample_auth_options.ts";
import { until } from "../support/until.ts";

const KNOWN = ["owner", "admin", "member", "agent"];
const OPERATOR = { sysadminEmails: ["root@example.com"] };
const alone: ProjectModel = { ...helpdesk, multiTenant: false };

/** Every blank of Unicode, and what is drawn as nothing. */
const BLANKS = [
  ..." \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a",
  ..."\u2028\u2029\u202f\u205f\u3000\ufeff\u200b\u200c\u200d\u2060\u00ad\u180e\u202e\u0001\u007f",
];

function isOneSpelling(role: unknown): boolean {
  const names = typeof role === "string" ? role.split(",") : Array.isArray(role) ? role : [];
  return names.length > 0 && names.length <= 10 && names.every((name) => KNOWN.includes(name));
}

async function storedRoles(api: ApiUnderTest): Promise<readonly unknown[]> {
  const sql = `SELECT "role" FROM "auth_member" UNION ALL SELECT "role" FROM "auth_invitation"
    UNION ALL SELECT "role" FROM "auth_user"`;
  return (await api.database.run({ sql, args: [] })).rows.map(([role]) => role).sort();
}

function assertRoleRefused(answer: Answer, known: readonly string[]): void {
  assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_ERROR"], answer.text);
  const details = answer.body["details"];
  assert(typeof details === "object" && details !== null && "fields" in details, answer.text);
  const { fields } = details;
  assert(typeof fields === "object" && fields !== null && "role" in fields, answer.text);
  for (const name of known) assertStringIncludes(String(fields.role), name);
}

/** The owner of an organization, and somebody whom they have made a member of it. */
async function teamOf(api: ApiUnderTest, role: string) {
  const anna = await founder(api, "anna", "acme");
  const ben = await signedUp(api, "ben");
  const invited = await anna.ask("/auth/v1/organization/invite-member", {
    email: "ben@example.com",
    role,
  });
  assertEquals(invited.status, 200, invited.text);
  const joined = await ben.ask("/auth/v1/organization/accept-invitation", {
    invitationId: invited.body["id"],
  });
  assertEquals(joined.status, 200, joined.text);
  const { rows } = await api.database.run({
    sql:
      `SELECT "m"."id" FROM "auth_member" AS "m" JOIN "auth_user" AS "u" ON "u"."id" = "m"."user_id"
      WHERE "u"."name" = 'ben'`,
    args: [],
  });
  return { anna, ben, memberId: String(rows[0]?.[0]) };
}

const invite = (caller: Visitor, role: unknown, email = "carl@example.com") =>
  caller.ask("/auth/v1/organization/invite-member", { email, role });

for (
  const role of [
    "owner ",
    "owner\t",
    "owner\n",
    "owner\u00a0",
    "member, owner",
    ["owner "],
    "Owner",
  ]
) {
  Deno.test(`an admin who writes ${JSON.stringify(role)} makes nobody an owner`, async () => {
    await withAccountsApi(async (api) => {
      const { ben: admin, memberId } = await teamOf(api, "admin");
      const before = await storedRoles(api);
      assertRoleRefused(await invite(admin, role), KNOWN);
      const body = { memberId, role };
      const updated = await admin.ask("/auth/v1/organization/update-member-role", body);
      assertRoleRefused(updated, KNOWN);
      assertEquals(await storedRoles(api), before);
    });
  });
}

Deno.test("only an owner makes an owner, however the list is written", async () => {
  await withAccountsApi(async (api) => {
    const { anna, ben: admin } = await teamOf(api, "admin");
    for (const role of ["owner", "member,owner", ["owner"], ["member", "owner"]]) {
      const answer = await invite(admin, role);
      assertEquals(answer.status, 403, `${JSON.stringify(role)} ${answer.text}`);
    }
    for (
      const [place, role] of ["owner", "member,owner", ["member", "owner", "member"]].entries()
    ) {
      const answer = await invite(anna, role, `new${place}@example.com`);
      assertEquals(answer.status, 200, answer.text);
    }
    // As it is stored, each name once.
    assertEquals((await storedRoles(api)).filter((role) => String(role).startsWith("member")), [
      "member,owner",
      "member,owner",
    ]);
  });
});

Deno.test("whoever may give no role is told that first, whatever they write", async () => {
  await withAccountsApi(async (api) => {
    const { anna, ben: member, memberId } = await teamOf(api, "member");
    for (const role of ["owner ", "janitor", "", [], ["member"], 7]) {
      const update = { memberId, role };
      const answers = [
        await invite(member, role),
        await member.ask("/auth/v1/organization/update-member-role", update),
        await anna.ask("/auth/v1/admin/set-role", { userId: "nobody", role }),
        await anna.ask("/auth/v1/admin/create-user", { email: "x@example.com", name: "X", role }),
      ];
      assertEquals(answers.map(({ status }) => status), [403, 403, 403, 403], String(role));
      for (const { text } of answers) assert(!text.includes("agent"), text);
    }
  });
});

Deno.test("a list holds ten roles at most", async () => {
  await withAccountsApi(async (api) => {
    const anna = await founder(api, "anna", "acme");
    const roles = (count: number) => Array.from({ length: count }, () => "member");
    assertEquals((await invite(anna, roles(10))).status, 200);
    assertRoleRefused(await invite(anna, roles(11), "dora@example.com"), KNOWN);
    assertRoleRefused(await invite(anna, roles(11).join(","), "dora@example.com"), KNOWN);
    assertRoleRefused(await invite(anna, [], "dora@example.com"), KNOWN);
    assertRoleRefused(await invite(anna, "", "dora@example.com"), KNOWN);
  });
});

Deno.test("of all spellings of roles the exact ones are taken, and stored as they were judged", async () => {
  const name = fc.constantFrom(...KNOWN, "sysadmin", "janitor", "constructor", "__proto__", "");
  const blank = fc.constantFrom(...BLANKS);
  const spelled = fc.oneof(
    { weight: 3, arbitrary: name },
    { weight: 1, arbitrary: name.map((role) => role.toUpperCase()) },
    { weight: 1, arbitrary: fc.tuple(name, blank).map(([role, one]) => role + one) },
    { weight: 1, arbitrary: fc.tuple(blank, name).map(([role, one]) => one + role) },
    {
      weight: 1,
      arbitrary: fc.tuple(name, blank, fc.nat(6)).map(([role, one, at]) =>
        role.slice(0, at) + one + role.slice(at)
      ),
    },
  );
  const list = fc.array(spelled, { maxLength: 11 });
  const role: fc.Arbitrary<unknown> = fc.oneof(
    { weight: 2, arbitrary: spelled },
    { weight: 4, arbitrary: list },
    { weight: 4, arbitrary: list.map((names) => names.join(",")) },
    { weight: 1, arbitrary: list.map((names) => [names.join(",")]) },
    { weight: 1, arbitrary: list.map((names) => [names]) },
    { weight: 1, arbitrary: fc.constantFrom(null, 0, true, {}, { owner: "owner" }, [null], [1]) },
  );
  await withAccountsApi(async (api) => {
    const { anna, memberId } = await teamOf(api, "member");
    let number = 0;
    await fc.assert(
      fc.asyncProperty(role, async (role) => {
        const before = await storedRoles(api);
        const email = `new${number++}@example.com`;
        const invited = await invite(anna, role, email);
        const updated = await anna.ask("/auth/v1/organization/update-member-role", {
          memberId,
          role,
        });
        if (isOneSpelling(role)) {
          assertEquals([invited.status, updated.status], [200, 200], updated.text);
          const names = [...new Set(Array.isArray(role) ? role : String(role).split(","))];
          assertEquals(invited.body["role"], names.join(","));
          assertEquals(updated.body["role"], names.join(","));
          // Nobody is invited twice: the next case has room.
          await anna.ask("/auth/v1/organization/cancel-invitation", {
            invitationId: invited.body["id"],
          });
        } else {
          assertRoleRefused(invited, KNOWN);
          assertRoleRefused(updated, KNOWN);
          assertEquals(await storedRoles(api), before);
        }
      }),
      { seed: 33, numRuns: 250 },
    );
  });
});

for (
  const [kind, project, known] of [
    ["with", helpdesk, ["sysadmin", "appmanager"]],
    ["without", alone, ["sysadmin", "appmanager", "admin", "agent", "member"]],
  ] as const
) {
  Deno.test(`roles of accounts have one spelling in a project ${kind} organizations`, async () => {
    await withAccountsApi(async (api) => {
      const root = await signedUp(api, "root");
      const { body } = await root.ask("/auth/v1/get-session");
      const userId: unknown = Reflect.get(Object(body["user"]), "id");
      for (
        const role of ["appmanager ", "sysadmin,appmanager,", ["appmanager,sysadmin"], "Sysadmin"]
      ) {
        const before = await storedRoles(api);
        assertRoleRefused(await root.ask("/auth/v1/admin/set-role", { userId, role }), known);
        const account = { email: "new@example.com", name: "New", role };
        assertRoleRefused(await root.ask("/auth/v1/admin/create-user", account), known);
        assertEquals(await storedRoles(api), before);
      }
      for (const role of known) {
        const named = await root.ask("/auth/v1/admin/set-role", {
          userId,
          role: ["appmanager", role],
        });
        assertEquals(named.status, 200, named.text);
      }
      const made = { email: "new@example.com", name: "New", role: "appmanager" };
      assertEquals((await root.ask("/auth/v1/admin/create-user", made)).status, 200);
    }, { ...OPERATOR, project });
  });
}

Deno.test("every route to which the account library gives a role is held to exact names", async () => {
  await withDatabase((database) => {
    const library = betterAuth(sampleAuthOptions(database, helpdesk));
    const taking = Object.values(library.api).flatMap((endpoint) => {
      const path: unknown = Reflect.get(endpoint, "path");
      const body: unknown = Reflect.get(Object(Reflect.get(endpoint, "options")), "body");
      const shape = Object(Reflect.get(Object(body), "shape"));
      return typeof path === "string" && Object.hasOwn(shape, "role") ? [path] : [];
    });
    assert(taking.length >= 4, taking.join());
    const served = authOperationsOf(helpdesk);
    for (const { path, body } of served) {
      if (!taking.includes(path) || body === null || !("role" in body.shape)) continue;
      for (const role of ["owner ", "member,sysadmin ", "janitor", ["member "]]) {
        const { error } = body.safeParse({ role });
        assert(error?.issues.some((issue) => issue.path[0] === "role"), `${path} takes ${role}`);
      }
    }
    const spelled = served.filter(({ body }) => body !== null && "role" in body.shape);
    assertEquals(
      spelled.map(({ path }) => path).filter((path) => !taking.includes(path)),
      [],
      "a route of ours takes a role that the library does not know",
    );
    return Promise.resolve();
  });
});

Deno.test("a stored role that is no exact name counts for nothing, and is told at the start", async () => {
  const log: string[] = [];
  await withAccountsApi(async (api) => {
    const { anna, ben, memberId } = await teamOf(api, "member");
    for (const role of ["owner ", " owner", "owner\t", "Owner", "member, owner"]) {
      await api.database.write((transaction) =>
        transaction.run({
          sql: `UPDATE "auth_member" SET "role" = ? WHERE "id" = ?`,
          args: [role, memberId],
        })
      );
      const invited = await invite(ben, "member");
      assertEquals(invited.status, 403, `${JSON.stringify(role)} ${invited.text}`);
      const purge = {
        organizationId: await organizationOf(api),
        password: "correct horse battery",
      };
      const purged = await ben.ask("/auth/v1/organization/delete?purge=true", purge);
      assertEquals(purged.status, 403, `${JSON.stringify(role)} ${purged.text}`);
    }
    const carl = await signedUp(api, "carl");
    const { body: { id: invitationId } } = await invite(anna, "member");
    const sql = `UPDATE "auth_invitation" SET "role" = 'owner ' WHERE "id" = ?`;
    await api.database.write((transaction) =>
      transaction.run({ sql, args: [String(invitationId)] })
    );
    const joined = await carl.ask("/auth/v1/organization/accept-invitation", { invitationId });
    assertEquals(joined.status, 200, joined.text);
    assertEquals((await invite(carl, "member", "dora@example.com")).status, 403);
    createAccounts(helpdesk, {
      database: api.database,
      settings: api.settings,
      logger: { log: ({ message }) => void log.push(message) },
      limiter: memoryRateLimiter({ clock: api.ports.clock }),
      detached,
    });
    await until(
      "the roles are told",
      () => log.some((message) => message.includes("stored roles")),
    );
  });
  const [line, ...others] = log.filter((message) => message.includes("stored roles"));
  assertEquals(others, []);
  assertStringIncludes(String(line), `" owner" of 1 member`);
});

async function organizationOf(api: ApiUnderTest): Promise<string> {
  const { rows } = await api.database.run({
    sql: `SELECT "id" FROM "auth_organization"`,
    args: [],
  });
  return String(rows[0]?.[0]);
}
