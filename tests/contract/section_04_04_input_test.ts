/** The input of actions: typed from the query of a GET, from the body else; who may call without an account (contract 4.4 rules 2, 5, 7). */
import { assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { memoryRateLimiter } from "../../library/platform/mod.ts";
import { type ApiUnderTest, isRecord, START } from "../support/api.ts";
import { admit, auditRows, CLERK, DOCTOR, NURSE, withClinic } from "../support/clinic.ts";
import { limiterOf } from "../support/limiter.ts";

const test = ofOneDatabase("nobody founded the organization, so that it has no database");

Deno.test("a GET reads its query by the schema's types, and refuses what is none of them", async (t) => {
  await withClinic(async (api) => {
    const find = (query: string) => api.ask(`patients/find?${query}`, { as: CLERK });
    const taken: readonly (readonly [string, Record<string, unknown>])[] = [
      ["", {}],
      ["name=Eve", { name: "Eve" }],
      ["name=", { name: "" }],
      ["stays=admitted,discharged", { stays: ["admitted", "discharged"] }],
      ["stays=", { stays: [] }],
      ["beds=1,2.5,-3", { beds: [1, 2.5, -3] }],
      ["exact=true", { exact: true }],
      ["limit=7", { limit: 7 }],
      ["name=%C3%A9%20%2C", { name: "é ," }],
    ];
    for (const [query, input] of taken) {
      await t.step(`?${query}`, async () => {
        const { status, body, text } = await find(query);
        assertEquals(status, 200, text);
        assertEquals(body["asked"], { exact: false, limit: 5, ...input });
      });
    }
    const refused: readonly (readonly [string, string, string])[] = [
      ["limit=0x10", "VALIDATION_ERROR", "/limit"],
      ["limit=", "VALIDATION_ERROR", "/limit"],
      ["limit=11", "VALIDATION_ERROR", "/limit"],
      ["exact=1", "VALIDATION_ERROR", "/exact"],
      ["exact=", "VALIDATION_ERROR", "/exact"],
      ["beds=1,x", "VALIDATION_ERROR", "/beds"],
      ["stays=gone", "VALIDATION_ERROR", "/stays/0"],
      ["stays=admitted,admitted,admitted,admitted", "VALIDATION_ERROR", "/stays"],
      ["colour=red", "VALIDATION_ERROR", "/colour"],
      ["__proto__=x", "VALIDATION_ERROR", "/__proto__"],
      ["constructor=x", "VALIDATION_ERROR", "/constructor"],
    ];
    for (const [query, code, pointer] of refused) {
      await t.step(`?${query} is refused`, async () => {
        const { status, body } = await find(query);
        assertEquals([status, body["code"], body["pointer"]], [400, code, pointer]);
      });
    }
    for (
      const query of ["name=a&name=b", "limit=1&limit=1", "dryRun=yes", "organizationId=org_b&x=1"]
    ) {
      await t.step(`?${query} is refused`, async () => {
        assertEquals((await find(query)).status, 400);
      });
    }
  });
});

Deno.test("a body is JSON, an object, of 1 MiB, and nothing that reaches for prototypes", async (t) => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const send = (body: string, headers: Record<string, string> = {}) =>
      api.ask(`patients/${id}/summarize`, { as: CLERK, method: "POST", body, headers });
    const cases: readonly (readonly [string, string, number, string])[] = [
      ["malformed JSON", "{", 400, "INVALID_JSON"],
      ["a list", "[]", 400, "VALIDATION_ERROR"],
      ["null", "null", 400, "VALIDATION_ERROR"],
      ["__proto__", '{"how":"right","__proto__":{"x":1}}', 400, "VALIDATION_ERROR"],
      ["constructor", '{"how":"right","deep":{"constructor":1}}', 400, "VALIDATION_ERROR"],
      ["too much", JSON.stringify({ how: "x".repeat(1_048_577) }), 413, "PAYLOAD_TOO_LARGE"],
      ["nothing", "", 400, "VALIDATION_ERROR"],
      ["an own value", '{"how":"eaten"}', 400, "VALIDATION_ERROR"],
    ];
    for (const [name, body, status, code] of cases) {
      await t.step(name, async () => {
        const answer = await send(body);
        assertEquals([answer.status, answer.body["code"]], [status, code]);
      });
    }
    await t.step("another type", async () => {
      const answer = await send("how=right", {
        "content-type": "application/x-www-form-urlencoded",
      });
      assertEquals([answer.status, answer.body["code"]], [415, "UNSUPPORTED_MEDIA_TYPE"]);
    });
    await t.step("unknown parameters", async () => {
      const answer = await api.ask(`patients/${id}/summarize?loud=1`, {
        as: CLERK,
        body: { how: "right" },
      });
      assertEquals([answer.status, answer.body["code"]], [400, "VALIDATION_INVALID_INPUT"]);
    });
  });
});

test("PUBLIC actions act in the organization that an anonymous caller names", async () => {
  await withClinic(async (api) => {
    const ask = (query: string, rest = {}) =>
      api.ask(`appointments/ask${query}`, { body: { reason: "Hello" }, ...rest });
    assertEquals((await ask("")).body["code"], "ORG_REQUIRED");
    assertEquals((await ask("?organizationId=")).body["code"], "ORG_REQUIRED");
    const done = await ask("?organizationId=org_a");
    assertEquals([done.status, done.body["organizationId"]], [200, "org_a"]);
    assertEquals((await ask("", { as: { sub: "ann", roles: [] } })).body["code"], "ACCESS_NO_ORG");
    assertEquals((await ask("", { as: CLERK })).body["organizationId"], "org_a");
    const isolated = await ask("?organizationId=org_b", { as: CLERK });
    assertEquals([isolated.status, isolated.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    assertEquals((await ask("?organizationId=org_a&organizationId=org_b")).status, 400);
    const id = String(done.body["id"]);
    const acknowledge = (query: string, rest = {}) =>
      api.ask(`appointments/${id}/acknowledge${query}`, { method: "POST", body: {}, ...rest });
    assertEquals((await acknowledge("")).body["code"], "ORG_REQUIRED");
    assertEquals((await acknowledge("?organizationId=org_b")).body["code"], "FIREWALL_NOT_FOUND");
    assertEquals((await acknowledge("?organizationId=org_a")).body, {
      reason: "Hello",
      by: null,
      at: "org_a",
    });
    assertEquals((await acknowledge("", { as: CLERK })).body["by"], "cora");
    assertEquals((await api.ask("ping", { body: {} })).body, { pong: true });
    const rows = (await auditRows(api)).map((
      [name, actor, result, code],
    ) => [name, actor, result, code]);
    assertEquals(rows, [
      ["appointments.ask", null, "denied", "ORG_REQUIRED"],
      ["appointments.ask", null, "denied", "ORG_REQUIRED"],
      ["appointments.ask", null, "success", null],
      ["appointments.ask", null, "denied", "VALIDATION_INVALID_INPUT"],
      ["appointments.acknowledge", null, "denied", "ORG_REQUIRED"],
      ["appointments.acknowledge", null, "denied", "FIREWALL_NOT_FOUND"],
      ["appointments.acknowledge", null, "success", null],
    ]);
  });
});

Deno.test("limits: an action's own, none, or those of its resource and project, under the contract's keys", async () => {
  const keys: string[] = [];
  const limiter = memoryRateLimiter({ clock: { now: () => START } });
  await withClinic(async (api) => {
    const id = await admit(api);
    const counted = () => api.ask("patients/counted", { as: CLERK });
    assertEquals([(await counted()).status, (await counted()).status], [200, 200]);
    const over = await counted();
    assertEquals([over.status, over.headers.get("retry-after"), over.body], [429, "60", {
      error: "Rate limit exceeded",
      code: "RATE_LIMITED",
      retryAfter: 60,
    }]);
    assertEquals((await api.ask("patients/counted", { as: NURSE })).status, 200);
    keys.length = 0;
    await api.ask(`patients/${id}/summarize`, { as: CLERK, body: { how: "right" } });
    await api.ask(`patients/${id}/discharge`, { as: DOCTOR, method: "POST" });
    await api.ask("patients/batch/discharge", { as: DOCTOR, body: { ids: [id] } });
    await api.ask("reports/load", { as: CLERK });
    await api.ask("ping", { body: {}, clientIp: "192.0.2.7" });
    await api.ask("ping", { body: {} });
    await api.ask("appointments/none", { as: CLERK, method: "PATCH", body: {} });
    assertEquals(keys, [
      "patients:action:discharge:dora 50/60",
      "patients:action:discharge:dora 50/60",
      "standalone:/api/v1/reports/load:cora 50/60",
      "standalone:/api/v1/ping:192.0.2.7 50/60",
      "standalone:/api/v1/ping:anon 50/60",
      "appointments:update:cora 50/60",
    ]);
  }, {
    limiter: limiterOf((key, limit, period) => {
      keys.push(`${key} ${limit}/${period}`);
      return limiter.take(key, limit, period);
    }),
  });
});

Deno.test("older forms: many actions in one file, sibling tables, features without tables", async () => {
  await withClinic(async (api: ApiUnderTest) => {
    const patientId = await admit(api);
    const allergy = await api.ask("allergies", {
      as: CLERK,
      body: { patientId, substance: " Nuts " },
    });
    const confirm = () =>
      api.ask(`allergies/${allergy.body["id"]}/confirm`, { as: NURSE, method: "POST" });
    assertEquals((await confirm()).body, { substance: "Nuts", isConfirmed: true });
    assertEquals((await confirm()).body["code"], "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE");
    assertEquals((await api.ask("reports/load?factor=3", { as: CLERK })).body, {
      name: "house",
      patients: 3,
    });
    const ward = await api.ask("wards", { as: NURSE, body: { title: "West" } });
    const id = ward.body["id"];
    const close = await api.ask(`wards/${id}/close`, { as: DOCTOR, body: { reason: "Paint" } });
    assertEquals(close.body, { title: "WEST", reason: "Paint" });
    const shut = await api.ask(`wards/${id}/occupy`, { as: NURSE, body: {} });
    assertEquals(shut.status, 409);
    const open = await api.ask("wards/open-all", { as: DOCTOR, method: "PUT", body: {} });
    assertEquals(open.body, { opened: 1 });
    const taken = await api.ask(`wards/${id}/occupy`, { as: NURSE, body: { beds: 2 } });
    assertEquals(taken.body, { title: "west", free: 1 });
    const full = await api.ask(`wards/${id}/occupy`, { as: NURSE, body: { beds: 2 } });
    assertEquals([full.status, full.body], [409, {
      error: "Full",
      code: "WARD_FULL",
      details: { free: 1 },
    }]);
    assertEquals(isRecord(full.body["details"]), true);
  });
});
