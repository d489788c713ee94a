/** The account library's answers are the ones that the description lists (definitions 7 "auth routes"). */
import { assertEquals } from "@std/assert";
import { emitOpenApi } from "../../../shared/compiler/phases/6-emit/openapi/emit_openapi.ts";
import { type Browser, PASSWORD, withAccounts } from "../../support/accounts.ts";
import { openApiCheck } from "../../support/openapi_check.ts";
import { project } from "../../support/sample_project.ts";

const check = openApiCheck(emitOpenApi(project));

/** Asks and holds the answer against the description; the service adds the request id to every answer. */
async function described(browser: Browser, path: string, body?: unknown) {
  const response = await browser.send(`/api/auth${path}`, body);
  const headers = new Headers(response.headers);
  headers.set("x-request-id", "req_1");
  const text = await response.text();
  const method = body === undefined ? "GET" : "POST";
  assertEquals(
    check({ method, path: `/api/auth${path}`, status: response.status, headers, body: text }),
    [],
    `${method} ${path}: ${text}`,
  );
  const answer: { id?: string; member?: { id?: string } } | null = JSON.parse(text);
  return { status: response.status, answer };
}

Deno.test("sign-up, sessions, organizations and invitations answer as described", async () => {
  await withAccounts({ project }, async (underTest) => {
    const anna = underTest.browser();
    const account = { name: "anna", email: "anna@example.com", password: PASSWORD };
    await described(anna, "/sign-up/email", account);
    await described(anna, "/get-session");
    await described(anna, "/sign-out", {});
    await described(anna, "/sign-in/email", account);
    const { answer } = await described(anna, "/organization/create", { name: "A", slug: "a" });
    await described(anna, "/organization/list");
    await described(anna, "/organization/set-active", { organizationId: answer?.id });
    const invited = await described(anna, "/organization/invite-member", {
      email: "ben@example.com",
      role: "member",
    });
    const ben = await underTest.signedUp("ben");
    const accepted = await described(ben, "/organization/accept-invitation", {
      invitationId: invited.answer?.id,
    });
    await described(anna, "/organization/list-members");
    const memberId = accepted.answer?.member?.id;
    const role = ["admin"];
    await described(anna, "/organization/update-member-role", { memberId, role });
    const removed = await described(anna, "/organization/remove-member", {
      memberIdOrEmail: memberId,
    });
    assertEquals(removed.status, 200);
  });
});

Deno.test("refusals of the account library answer as described", async () => {
  await withAccounts({ project }, async (underTest) => {
    const nobody = underTest.browser();
    const account = { name: "anna", email: "anna@example.com", password: PASSWORD };
    await underTest.signedUp("anna");
    const ben = await underTest.signedUp("ben");
    const statuses = [
      await described(nobody, "/sign-up/email", account),
      await described(nobody, "/sign-up/email", {}),
      await described(nobody, "/sign-in/email", { ...account, password: "wrong password" }),
      await described(nobody, "/get-session"),
      await described(nobody, "/organization/list"),
      await described(ben, "/organization/set-active", { organizationId: "foreign" }),
      await described(ben, "/organization/accept-invitation", { invitationId: "none" }),
      await described(ben, "/organization/remove-member", { memberIdOrEmail: "none" }),
    ].map(({ status }) => status);
    assertEquals(statuses, [422, 400, 401, 200, 401, 403, 400, 400]);
  });
});
