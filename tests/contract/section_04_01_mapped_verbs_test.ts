/** Create, update and delete that run an action: the operation's address, status and headers, the action's input (contract 4.1 rule 9). */
import { assertEquals, assertMatch } from "@std/assert";
import type { ApiUnderTest, Claims } from "../support/api.ts";
import { admit, CLERK, NURSE, STRANGER, withClinic } from "../support/clinic.ts";

async function book(api: ApiUnderTest, reason = "Checkup"): Promise<string> {
  const patientId = await admit(api);
  const { body, text, status } = await api.ask("appointments", {
    as: CLERK,
    body: { patientId, reason },
  });
  assertEquals(status, 201, text);
  return String(body["id"]);
}

const change = (
  api: ApiUnderTest,
  id: string,
  body: unknown,
  { as = CLERK, headers = {} }: { as?: Claims; headers?: Record<string, string> } = {},
) => api.ask(`appointments/${id}`, { as, method: "PATCH", body, headers });

Deno.test("a mapped create answers 201, makes ids and stamps, and checks what it names", async () => {
  await withClinic(async (api) => {
    const patientId = await admit(api);
    const { status, body } = await api.ask("appointments", {
      as: CLERK,
      body: { patientId, reason: "Checkup" },
    });
    assertEquals(status, 201);
    assertMatch(String(body["id"]), /^appointment_[0-9a-f]{32}$/);
    const read = await api.ask(`appointments/${body["id"]}`, { as: CLERK });
    assertEquals([read.body["createdBy"], read.body["organizationId"], read.headers.get("etag")], [
      "cora",
      "org_a",
      '"1"',
    ]);
    assertMatch(String(read.body["invoice"]), /^INV-[\w-]{8}$/);
    const foreign = await admit(api, { ...STRANGER, roles: ["clerk"] });
    for (const named of [foreign, "patient_none"]) {
      const refused = await api.ask("appointments", {
        as: CLERK,
        body: { patientId: named, reason: "Checkup" },
      });
      assertEquals([refused.status, refused.body["pointer"]], [400, "/patientId"]);
    }
    const short = await api.ask("appointments", { as: CLERK, body: { patientId, reason: "x" } });
    assertEquals([short.status, short.body["pointer"]], [400, "/reason"]);
    const nobody = await api.ask("appointments", { body: { patientId, reason: "Checkup" } });
    assertEquals(nobody.status, 401);
    const guest = await api.ask("appointments", {
      as: { ...CLERK, roles: ["guest"] },
      body: { patientId, reason: "Checkup" },
    });
    assertEquals(guest.body["code"], "ACCESS_ROLE_REQUIRED");
  });
});

Deno.test("a mapped create runs once under a key, and keeps its 201", async () => {
  await withClinic(async (api) => {
    const patientId = await admit(api);
    const send = () =>
      api.ask("appointments", {
        as: CLERK,
        body: { patientId, reason: "Checkup" },
        headers: { "idempotency-key": "book-once" },
      });
    const [first, second] = [await send(), await send()];
    assertEquals([first.status, second.status, second.text], [201, 201, first.text]);
    const { body } = await api.ask("appointments?total=true", { as: CLERK });
    assertEquals(Object(body["pagination"])["total"], 1);
  });
});

Deno.test("a mapped update is anchored by the record's revision", async () => {
  await withClinic(async (api) => {
    const id = await book(api);
    const done = await change(api, id, { reason: "Blood" }, { headers: { "if-match": '"1"' } });
    assertEquals([done.status, done.body], [200, { reason: "Blood" }]);
    const stale = await change(api, id, { reason: "Urine" }, { headers: { "if-match": '"1"' } });
    assertEquals([stale.status, stale.body["code"]], [412, "PRECONDITION_FAILED"]);
    const read = await api.ask(`appointments/${id}`, { as: CLERK });
    assertEquals([read.headers.get("etag"), read.body["reason"], read.body["modifiedBy"]], [
      '"2"',
      "Blood",
      "cora",
    ]);
    assertEquals(
      (await change(api, id, { reason: "Urine", id: "x" })).body["code"],
      "VALIDATION_ERROR",
    );
    const foreign = await change(api, id, { reason: "Urine" }, { as: STRANGER });
    assertEquals(foreign.body["code"], "FIREWALL_NOT_FOUND");
    const none = await change(api, id, { reason: "Urine" }, { headers: { "if-none-match": "*" } });
    assertEquals(none.status, 428);
    const action = await api.ask(`appointments/${id}/confirm`, {
      as: CLERK,
      body: {},
      headers: { "if-match": '"2"' },
    });
    assertEquals([action.status, action.body["code"]], [428, "PRECONDITION_UNSUPPORTED"]);
  });
});

Deno.test("a mapped delete can be a move; the action has no address of its own, and no batch", async () => {
  await withClinic(async (api) => {
    const id = await book(api);
    const remove = (as: Claims) => api.ask(`appointments/${id}`, { as, method: "DELETE" });
    assertEquals((await remove(CLERK)).body["code"], "ACCESS_ROLE_REQUIRED");
    const gone = await remove(NURSE);
    assertEquals([gone.status, gone.body], [200, { success: true, status: "cancelled" }]);
    assertEquals((await remove(NURSE)).body["code"], "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE");
    const late = await change(api, id, { reason: "Blood" });
    assertEquals(late.body["details"], { conditions: { status: { notEquals: "cancelled" } } });
    for (const path of [`appointments/${id}/cancel`, `appointments/${id}/reschedule`]) {
      const { status } = await api.ask(path, { as: NURSE, body: {} });
      assertEquals([path, status], [path, 404]);
    }
    // That is the address of a record.
    const { headers } = await api.ask("appointments/book", { as: NURSE, body: {} });
    assertEquals(headers.get("allow"), "DELETE, PATCH, GET");
  });
});
