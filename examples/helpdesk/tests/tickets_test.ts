/** The rules of tickets, asked as their callers ask: `deno test -A --config <output>/deno.json tests`. */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createTestApp } from "quickback/testing";

const HELPDESK = new URL("../", import.meta.url);
const ACME = "org_acme";
const AGENT = { userId: "ada", organizationId: ACME, roles: ["agent"] };
const CUSTOMER = { userId: "cem", organizationId: ACME, roles: ["customer"] };
const OTHER = { userId: "dan", organizationId: ACME, roles: ["customer"] };
const STRANGER = { userId: "eve", organizationId: "org_other", roles: ["owner"] };

Deno.test("a ticket is read by agents and by who wrote it, and by nobody else", async () => {
  await using app = await createTestApp(HELPDESK);
  const customer = await app.as(AGENT).post("/api/v1/customers", {
    name: "Cem",
    email: "cem@example.com",
  });
  const { id: customerId } = await customer.json();
  const made = await app.as(CUSTOMER).post("/api/v1/tickets", { customerId, subject: "No light" });
  strictEqual(made.status, 201);
  const { id, status } = await made.json();
  strictEqual(status, "open");
  const asked = [AGENT, CUSTOMER, OTHER, STRANGER].map(async (caller) => {
    const answer = await app.as(caller).get(`/api/v1/tickets/${id}`);
    await answer.body?.cancel();
    return answer.status;
  });
  deepStrictEqual(await Promise.all(asked), [200, 200, 403, 403]);
});

Deno.test("agents resolve a ticket, and only the action does", async () => {
  await using app = await createTestApp(HELPDESK, { now: new Date("2026-03-01T08:00:00Z") });
  const agent = app.as(AGENT);
  const customer = await agent.post("/api/v1/customers", { name: "Cem", email: "cem@example.com" });
  const { id: customerId } = await customer.json();
  const { id } = await (await agent.post("/api/v1/tickets", { customerId, subject: "Dark" }))
    .json();
  const path = `/api/v1/tickets/${id}`;
  const patched = await agent.patch(path, { status: "resolved" });
  strictEqual((await patched.json()).code, "GUARD_FIELD_PROTECTED");
  const refused = await app.as(CUSTOMER).post(`${path}/resolve`, {});
  strictEqual(refused.status, 403);
  await refused.body?.cancel();
  app.advance(90);
  const resolved = await agent.post(`${path}/resolve`, {});
  strictEqual(resolved.status, 200);
  await resolved.body?.cancel();
  const ticket = await (await agent.get(path)).json();
  strictEqual(ticket.status, "resolved");
  strictEqual(ticket.resolvedAt, "2026-03-01T08:01:30.000Z");
});

Deno.test("the seed is what its people see", async () => {
  await using app = await createTestApp(HELPDESK);
  const { light } = await app.seed();
  const cem = app.as({ userId: "cem", organizationId: "org_acme", roles: ["customer"] });
  strictEqual((await (await cem.get(`/api/v1/tickets/${light?.id}`)).json()).subject, "No light");
  const gus = app.as({ userId: "gus", organizationId: "org_globex", roles: ["owner"] });
  const { data } = await (await gus.get("/api/v1/customers")).json();
  deepStrictEqual(data.map(({ name }: { readonly name: string }) => name), ["Dana"]);
});
