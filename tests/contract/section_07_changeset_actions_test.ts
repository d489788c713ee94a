/** Actions in a changeset: each through every layer of its own route, all or nothing (definitions 7 "changeset"). */
import { assert, assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { memoryRateLimiter } from "../../library/platform/mod.ts";
import { type Answer, type ApiUnderTest, type Claims, START } from "../support/api.ts";
import {
  admit,
  auditRows,
  CLERK,
  DOCTOR,
  NURSE,
  ROOT,
  STRANGER,
  withClinic,
} from "../support/clinic.ts";
import { limiterOf } from "../support/limiter.ts";

const test = ofOneDatabase("code across tenants writes no SQL of its own there");

const change = (
  api: ApiUnderTest,
  operations: unknown,
  { as = DOCTOR, headers = {} }: { as?: Claims; headers?: Record<string, string> } = {},
): Promise<Answer> => api.ask("changeset", { as, body: { operations }, headers });

const action = (resource: string, name: string, rest: Record<string, unknown> = {}) => ({
  op: "action",
  resource,
  action: name,
  ...rest,
});

const ALL: Claims = { ...DOCTOR, roles: ["clerk", "nurse", "doctor"] };

Deno.test("records, mapped verbs and actions in one changeset take each other's results", async () => {
  await withClinic(async (api) => {
    const { status, body, text } = await change(api, [
      { op: "create", resource: "patients", as: "eve", data: { name: "Eve", number: "P-X" } },
      {
        op: "create",
        resource: "appointments",
        as: "visit",
        data: { patientId: { $ref: "eve.id" }, reason: "Checkup" },
      },
      {
        op: "update",
        resource: "appointments",
        id: { $ref: "visit.id" },
        data: { reason: "Blood" },
      },
      action("appointments", "confirm", { id: { $ref: "visit.id" }, as: "move" }),
      action("patients", "discharge", { id: { $ref: "eve.id" } }),
      action("patients", "summarize", {
        id: { $ref: "eve.id" },
        data: { how: "right" },
        as: "told",
      }),
      action("appointments", "ask", { data: { reason: { $ref: "visit.patient" } } }),
      action("wards", "open-all"),
      { op: "delete", resource: "appointments", id: { $ref: "visit.id" } },
    ], { as: ALL });
    assertEquals(status, 200, text);
    const results = Array.isArray(body["results"]) ? body["results"] : [];
    assertEquals(results.slice(2, 6), [
      { reason: "Blood" },
      { moved: 1 },
      { success: true, stay: "discharged", dischargedAt: new Date(START).toISOString() },
      { id: results[0].id },
    ]);
    assertEquals(results.slice(7), [{ opened: 0 }, { success: true, status: "cancelled" }]);
    const asked = await api.ask(`appointments/${results[6].id}`, { as: CLERK });
    assertEquals(asked.body["reason"], "Eve");
  });
});

Deno.test("what refuses an action refuses the changeset, and nothing of it is done", async (t) => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const discharge = action("patients", "discharge", { id });
    const titles = async () =>
      (await api.database.run({ sql: "SELECT stay, note FROM patients", args: [] })).rows.map((
        row,
      ) => [...row]);
    const before = await titles();
    const cases:
      readonly (readonly [string, Record<string, unknown>, Claims, readonly unknown[]])[] = [
        ["its role", action("patients", "erase", { id }), DOCTOR, [
          403,
          "ACCESS_ROLE_REQUIRED",
          undefined,
        ]],
        ["the firewall", action("patients", "discharge", { id: "pat_none" }), DOCTOR, [
          403,
          "FIREWALL_NOT_FOUND",
          undefined,
        ]],
        ["the state", action("patients", "discharge", { id }), STRANGER, [
          403,
          "FIREWALL_NOT_FOUND",
          undefined,
        ]],
        ["its input", action("patients", "summarize", { id, data: { how: "no" } }), DOCTOR, [
          400,
          "VALIDATION_ERROR",
          "/operations/1/data/how",
        ]],
        [
          "what it names",
          { op: "create", resource: "appointments", data: { patientId: "none", reason: "Blood" } },
          DOCTOR,
          [400, "VALIDATION_ERROR", "/operations/1/data/patientId"],
        ],
        ["a constraint", action("patients", "summarize", { id, data: { how: "unique" } }), DOCTOR, [
          409,
          "DB_UNIQUE_VIOLATION",
          undefined,
        ]],
        ["a crash", action("patients", "summarize", { id, data: { how: "throwText" } }), DOCTOR, [
          500,
          "ACTION_EXECUTION_FAILED",
          undefined,
        ]],
        [
          "a handler that forgot its move",
          action("appointments", "confirm", { id: "none" }),
          DOCTOR,
          [403, "FIREWALL_NOT_FOUND", undefined],
        ],
      ];
    for (const [name, operation, as, expected] of cases) {
      await t.step(name, async () => {
        const { status, body } = await change(api, [discharge, operation], { as });
        assertEquals([status, body["code"], body["pointer"]], expected);
        assertEquals(Object(body["details"])["failedAt"], as === STRANGER ? 0 : 1);
        assertEquals(await titles(), before);
      });
    }
    await t.step("an author's own refusal stands in the details", async () => {
      const { status, body } = await change(api, [
        action("patients", "discharge", { id }),
        action("patients", "readmit", { id, data: { stay: "transferred" } }),
      ], { as: ALL });
      assertEquals([status, body["code"]], [400, "BATCH_FAIL_FAST_STOPPED"]);
      assertEquals(body["details"], {
        reason: "The patient cannot go there",
        status: 422,
        errorDetails: { error: "The patient cannot go there", code: "STAY_NOT_ALLOWED" },
        failedAt: 1,
      });
      assertEquals(await titles(), before);
    });
  });
});

Deno.test("what no changeset can hold is refused at once, by name", async (t) => {
  await withClinic(async (api) => {
    const first = { op: "create", resource: "patients", data: { name: "Eve", number: "P-X" } };
    const cases: readonly (readonly [Record<string, unknown>, string, string])[] = [
      [
        action("patients", "watch", { data: {} }),
        "action",
        'The action "watch" answers with a stream, which no changeset holds',
      ],
      [
        action("patients", "export"),
        "action",
        'The action "export" answers with a file, which no changeset holds',
      ],
      [
        action("patients", "search"),
        "action",
        'The action "search" only reads, which no changeset holds',
      ],
      [action("patients", "none"), "action", "Must be the name of an action of the resource"],
      [
        action("appointments", "cancel", { id: "x" }),
        "action",
        "Must be the name of an action of the resource",
      ],
      [
        action("patients", "constructor"),
        "action",
        "Must be the name of an action of the resource",
      ],
      [action("reports", "load"), "resource", "Must be the name of a resource"],
      [action("patients", "discharge"), "id", "Must be the id of a record"],
      [action("wards", "openAll", { id: "x" }), "id", "Unknown field of this operation"],
      [
        { op: "update", resource: "patients", id: "x", data: {}, action: "discharge" },
        "action",
        "Unknown field of this operation",
      ],
      [action("patients", "discharge", { id: "x", data: [] }), "data", "Must be an object"],
    ];
    for (const [operation, field, message] of cases) {
      await t.step(`${operation["resource"]} ${operation["action"]} ${field}`, async () => {
        const { status, body } = await change(api, [first, operation]);
        assertEquals([status, body["code"]], [400, "VALIDATION_ERROR"]);
        assertEquals(body["details"], { fields: { [field]: message }, failedAt: 1 });
      });
    }
    const { body } = await api.ask("patients?total=true", { as: DOCTOR });
    assertEquals(Object(body["pagination"])["total"], 0);
  });
});

test("audit rows of a changeset survive what undoes it", async () => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const root: Claims = { ...ROOT, orgId: "org_a", roles: ["clerk", "nurse", "doctor"] };
    const erase = action("patients", "erase", { id });
    const count = action("patients", "audit-houses", { data: { mode: "write" } });
    const done = await change(api, [erase, count], { as: root });
    assertEquals(done.status, 200, done.text);
    const undone = await change(api, [
      erase,
      action("patients", "audit-houses", { data: { mode: "own" } }),
      erase,
    ], { as: root });
    assertEquals(Object(undone.body["details"])["failedAt"], 1);
    const crash = await change(api, [erase, { op: "delete", resource: "patients", id: "none" }], {
      as: root,
    });
    assertEquals(crash.status, 403);
    await change(api, [erase]);
    assertEquals((await auditRows(api)).map(([name, , ...rest]) => [name, ...rest]), [
      ["patients.erase", "success", null],
      ["patients.audit-houses", "success", null],
      ["patients.erase", "error", "BATCH_FAIL_FAST_STOPPED"],
      ["patients.audit-houses", "denied", "BATCH_FAIL_FAST_STOPPED"],
      ["patients.erase", "error", "FIREWALL_NOT_FOUND"],
      ["patients.erase", "denied", "ACCESS_ROLE_REQUIRED"],
    ]);
  });
});

Deno.test("each action costs its own token, and a key runs the changeset once", async () => {
  const keys: string[] = [];
  const limiter = memoryRateLimiter({ clock: { now: () => START } });
  await withClinic(async (api) => {
    const id = await admit(api);
    keys.length = 0;
    const operations = [
      action("patients", "discharge", { id }),
      action("patients", "readmit", { id, data: { stay: "admitted" } }),
      action("patients", "summarize", { id, data: { how: "right" } }),
    ];
    const send = (as = ALL) => change(api, operations, { as, headers: { "idempotency-key": "k" } });
    const [first, second] = [await send(), await send()];
    assertEquals([first.status, second.text], [200, first.text]);
    assertEquals(keys.slice(0, 2), [
      "patients:action:discharge:dora",
      "patients:action:readmit:dora",
    ]);
    assertEquals(keys.length, 4);
    assertEquals((await send({ ...ALL, roles: ["clerk"] })).body["code"], "ACCESS_ROLE_REQUIRED");
    assertEquals((await send(NURSE)).body["code"], "ACCESS_ROLE_REQUIRED");
  }, {
    limiter: limiterOf((key, limit, period) => {
      keys.push(key);
      return limiter.take(key, limit, period);
    }),
  });
});

Deno.test("a record that an action of the same changeset moved is judged as it is by then", async () => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const { body, status } = await change(api, [
      action("patients", "discharge", { id }),
      action("patients", "readmit", { id, data: { stay: "admitted" } }),
      action("patients", "discharge", { id }),
    ], { as: ALL });
    assertEquals(status, 200);
    assert(Array.isArray(body["results"]) && body["results"].length === 3);
  });
});

Deno.test("the description names every action that a changeset may hold", async () => {
  await withClinic(async (api) => {
    const { paths } = JSON.parse((await api.ask("/openapi.json", { as: DOCTOR })).text);
    const { schema } = paths["/api/v1/changeset"].post.requestBody.content["application/json"];
    type Names = { enum?: string[]; const?: string };
    const items: readonly { properties: Record<string, Names> }[] =
      schema.properties.operations.items.anyOf;
    const namesIn = (names?: Names) => names?.enum ?? [names?.const];
    const told = items.filter(({ properties }) => properties["op"]?.const === "action")
      .map(({ properties }) => [properties["resource"], properties["action"]].map(namesIn));
    assertEquals(told, [
      [["appointments"], ["acknowledge"]],
      [["appointments"], ["ask"]],
      [["appointments"], ["confirm"]],
      [["patients"], ["audit-houses"]],
      [["allergies"], ["confirm"]],
      [["patients"], ["discharge"]],
      [["patients"], ["erase"]],
      [["patients"], ["near"]],
      [["patients"], ["readmit"]],
      [["patients"], ["summarize"]],
      [["wards"], ["close"]],
      [["wards"], ["occupy"]],
      [["wards"], ["openAll", "open-all"]],
    ]);
  });
});
