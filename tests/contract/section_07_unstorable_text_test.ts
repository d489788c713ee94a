/** Text with a NUL character, which the database would cut, is the sender's mistake wherever it is bound (contract 7.1, 400). */
import { assert, assertEquals } from "@std/assert";
import { authBaseOf, authOperationsOf } from "../../shared/surface/auth_operations.ts";
import { type ApiUnderTest, type Claims, isRecord, withDefinitions } from "../support/api.ts";
import { founder, helpdesk, withAccountsApi } from "../support/accounts_api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DESK } from "../support/desk_with_actions.ts";
import { ORDER_FILES, ORDERS_CLERK } from "../support/orders_project.ts";
import { ADMIN, ENDPOINTS, URL as HOOK, withWebhooks } from "../support/webhooks.ts";

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const NUL = "a\0b";

Deno.test("an id with a NUL character is one refused record of a bulk action, and undoes no other", () =>
  withCompiledActions(DESK, async (api) => {
    const body = { title: "One", email: "jane.doe@example.com", urgent: true };
    const { body: job } = await api.ask("jobs", { as: ANN, body });
    const ids = [job["id"], NUL];
    const { status, body: told } = await api.ask("jobs/batch/open", { as: ANN, body: { ids } });
    const { errors, meta } = told;
    assert(Array.isArray(errors) && isRecord(errors[0]) && isRecord(errors[0]["error"]));
    assertEquals([status, errors[0]["index"], errors[0]["error"]["code"]], [
      207,
      1,
      "VALIDATION_ERROR",
    ]);
    assert(isRecord(meta));
    assertEquals(meta["succeeded"], 1);
  }));

Deno.test("a webhook endpoint's name is text without NUL characters", () =>
  withWebhooks(async (api) => {
    const { id } = await api.register();
    const made = await api.ask(ENDPOINTS, {
      as: ADMIN,
      body: { name: NUL, url: HOOK, events: ["*"] },
    });
    const renamed = await api.ask(`${ENDPOINTS}/${id}`, {
      as: ADMIN,
      method: "PATCH",
      body: { name: NUL },
    });
    for (const { status, body } of [made, renamed]) {
      assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"]);
    }
  }));

Deno.test("no account route fails because of a NUL character", () =>
  withAccountsApi(async (api) => {
    const ann = await founder(api, "ann", "acme");
    const base = authBaseOf(helpdesk);
    for (const { method, path, bodyExample } of authOperationsOf(helpdesk)) {
      if (method !== "POST" || !isRecord(bodyExample)) continue;
      for (const name of Object.keys(bodyExample)) {
        const text = name.toLowerCase().includes("email") ? "a\0b@example.com" : NUL.repeat(6);
        const body = { ...bodyExample, [name]: text };
        const { status } = await ann.ask(base + path, body);
        assert(status < 500, `${path} with a NUL in ${name} answered ${status}`);
        assert(status >= 400 || !(await holdsCutText(api)), `${path} cut a NUL in ${name}`);
      }
    }
    assertEquals(api.log.filter(({ level }) => level === "error"), []);
  }));

Deno.test("an id that is no well-formed text is refused in a changeset", () =>
  withDefinitions(ORDER_FILES, async (api) => {
    const operations = [{ op: "delete", resource: "orders", id: "\ud800" }];
    const { status, body } = await api.ask("changeset", {
      as: ORDERS_CLERK,
      body: { operations },
    });
    assertEquals([status, body["code"], body["pointer"]], [
      400,
      "VALIDATION_ERROR",
      "/operations/0/id",
    ]);
  }));

async function holdsCutText(api: ApiUnderTest): Promise<boolean> {
  const { rows } = await api.database.run({
    sql: "SELECT 1 FROM auth_user WHERE name = 'a'",
    args: [],
  });
  return rows.length > 0;
}
