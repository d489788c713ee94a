/** Conformance asks the routes of every way to sign in: nobody adds, removes or takes over one without a session of their own. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { mismatchText } from "../../../proof/conformance/report.ts";
import type { ProjectModel } from "../../../shared/model/project.ts";
import { authBaseOf, authOperationsOf } from "../../../shared/surface/auth_operations.ts";
import { withAccountsApi } from "../../support/accounts_api.ts";
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

/** Session-only routes that a project has for its ways to sign in alone. */
const ADDED = authOperationsOf(PROJECT).filter(({ id, who }) =>
  who === "session" &&
  !authOperationsOf(signInProject({})).some((operation) => operation.id === id)
);

Deno.test("conformance finds nothing wrong with the ways to sign in, and every one that lets anybody in", async (t) => {
  assert(ADDED.length > 8, ADDED.map(({ id }) => id).join());
  await withAccountsApi(async (api) => {
    const plan = conformancePlan(PROJECT);
    const send = (request: Request) => api.fetch(request, { clientIp: null });
    await t.step("nothing is wrong", async () => {
      const { mismatches } = await conformanceOf(PROJECT, api, { plan, hasAccounts: true });
      assertEquals(mismatches.map(mismatchText), []);
    });
    for (const { id, method, path } of ADDED) {
      await t.step(`${method} ${path} for anybody`, async () => {
        const isOpen = (request: Request) =>
          request.method === method && pathOf(request) === authBaseOf(PROJECT) + path;
        const { mismatches: [first] } = await conformanceOf(PROJECT, api, {
          plan,
          hasAccounts: true,
          stopsEarly: true,
          fetch: (request) =>
            isOpen(request) ? Promise.resolve(Response.json({ status: true })) : send(request),
        });
        assertMatch(first ? mismatchText(first) : "", new RegExp(`^${id} as`));
      });
    }
  }, { project: PROJECT });
});
