/** Conformance asks account routes as every class of session: roles, forms, verbs, and what may be asked again. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { mismatchText } from "../../../proof/conformance/report.ts";
import type { ProjectModel } from "../../../shared/model/mod.ts";
import { accountClassesOf } from "../../../shared/oracle/account_routes.ts";
import { NAMED_HOME } from "../../../shared/oracle/principal_class.ts";
import { authBaseOf, type AuthOperation, authOperationsOf } from "../../../shared/surface/mod.ts";
import { withAccountsApi } from "../../support/accounts_api.ts";
import type { ApiUnderTest } from "../../support/api.ts";
import { conformanceOf, conformancePlan } from "../../support/conformance.ts";
import { pathOf } from "../../support/conformance_faults.ts";
import { signInProject } from "../../support/sign_in.ts";

const PROJECT: ProjectModel = signInProject({
  magicLink: true,
  emailCode: true,
  twoFactor: true,
  passkeys: true,
  social: [],
}, { impersonation: true });
const OPERATIONS = authOperationsOf(PROJECT);
const SESSIONS = accountClassesOf(PROJECT, NAMED_HOME).map(({ name }) => name);

/** Answers of an API with a fault; null: it answers as it does. */
type Fault = (request: Request) => Promise<Response | null>;

async function firstFound(api: ApiUnderTest, fault: Fault): Promise<string> {
  const { mismatches: [first] } = await conformanceOf(PROJECT, api, {
    plan: PLAN,
    hasAccounts: true,
    stopsEarly: true,
    fetch: async (request) =>
      await fault(request.clone()) ?? await api.fetch(request, { clientIp: null }),
  });
  return first ? mismatchText(first) : "";
}

const PLAN = conformancePlan(PROJECT);

function isFor({ method, path }: AuthOperation, request: Request): boolean {
  return request.method === method && pathOf(request) === authBaseOf(PROJECT) + path;
}

const hasSession = (request: Request) => request.headers.has("cookie");

Deno.test("every account route is asked as every class of session, and nothing is wrong", async () => {
  await withAccountsApi(async (api) => {
    const { mismatches, uncovered } = await conformanceOf(PROJECT, api, {
      plan: PLAN,
      hasAccounts: true,
    });
    assertEquals(mismatches.map(mismatchText), []);
    const unasked = uncovered.filter(({ principals }) =>
      principals.some((name) => SESSIONS.includes(name))
    );
    // It makes a challenge, which stays until it is over.
    assertEquals(unasked.map(({ route }) => route), ["authBeginPasskeySignIn"]);
    for (const table of ["user", "session", "member", "organization", "apikey"]) {
      const { rows } = await api.database.run({ sql: `SELECT id FROM auth_${table}`, args: [] });
      assertEquals(rows, [], table);
    }
  }, { project: PROJECT });
});

Deno.test("an account route that lets a class in, or looks at the body before the role, is found", async (t) => {
  await withAccountsApi(async (api) => {
    const ruled = OPERATIONS.filter(({ role }) => role !== null);
    assert(ruled.length > 30);
    for (const operation of ruled.filter((_, index) => index % 3 === 0)) {
      const { id, role, body } = operation;
      const isAsked = (request: Request) => hasSession(request) && isFor(operation, request);
      if (role?.kind === "organization" && role.isOptional) continue;
      await t.step(`${id} lets everybody in`, async () => {
        const found = await firstFound(
          api,
          (request) => Promise.resolve(isAsked(request) ? Response.json({ status: true }) : null),
        );
        assertMatch(found, new RegExp(`^${id} as session`));
      });
      if (body === null) continue;
      await t.step(`${id} tells everybody what is wrong with a body`, async () => {
        const found = await firstFound(
          api,
          async (request) =>
            isAsked(request) && (await request.text()).includes("conformance")
              ? Response.json({ code: "VALIDATION_ERROR" }, { status: 400 })
              : null,
        );
        assertMatch(found, new RegExp(`^${id} as session`));
      });
    }
  }, { project: PROJECT });
});

Deno.test("an account route that takes whatever is sent, or every verb, is found", async (t) => {
  await withAccountsApi(async (api) => {
    const taking = OPERATIONS.filter(({ body }) => body !== null);
    assert(taking.length > 40);
    for (const operation of taking.filter((_, index) => index % 12 === 0)) {
      await t.step(operation.id, async () => {
        const found = await firstFound(
          api,
          async (request) =>
            isFor(operation, request) && (await request.text()).includes("conformance")
              ? Response.json({ status: true })
              : null,
        );
        assertMatch(found, new RegExp(`^${operation.id} as `));
      });
    }
    const path = `${authBaseOf(PROJECT)}/organization/leave`;
    const found = await firstFound(api, (request) =>
      Promise.resolve(
        request.method === "DELETE" && pathOf(request) === path
          ? Response.json({ status: true })
          : null,
      ));
    assertMatch(found, /^\/api\/auth\/organization\/leave: compare the routes/);
  }, { project: PROJECT });
});
