/** What a handler returns or throws, as its caller gets it (contract 4.4 rules 4 and 6, 7.2). */
import { withCompiledActions } from "../support/compiled_actions.ts";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Answer, type ApiUnderTest, BASE_URL, tokenFor } from "../support/api.ts";
import { admit, CLERK, DOCTOR, NURSE, withClinic } from "../support/clinic.ts";

const PLAIN = "eve.adams@example.com";
const MASKED = "e***@e***.com";

const told = (api: ApiUnderTest, id: string, how: string, as = CLERK): Promise<Answer> =>
  api.ask(`patients/${id}/summarize`, { as, body: { how } });

Deno.test("whatever a handler returns becomes JSON, or a failure that tells nothing", async (t) => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const cases: readonly (readonly [string, unknown])[] = [
      ["right", { id }],
      ["date", { at: "1970-01-01T00:00:00.000Z", bytes: { "0": 1, "1": 2 } }],
      ["undefined", { kept: 1 }],
      ["function", {}],
      ["symbol", {}],
      ["map", {}],
      ["null", null],
      ["number", null],
      ["text", MASKED],
      // By its value, since a copy of a record's member has no origin.
      ["renamed", { contact: MASKED, about: [MASKED] }],
      ["list", [MASKED, 1, null]],
      ["toJSON", { email: MASKED }],
      ["response", {}],
      ["ownError", {}],
      ["nested", { a: [{ b: { email: MASKED, list: [MASKED, { number: "[REDACTED]" }] } }] }],
    ];
    for (const [how, expected] of cases) {
      await t.step(how, async () => {
        const { status, headers, text } = await told(api, id, how);
        assertEquals(status, 200, text);
        assertEquals(headers.get("content-type"), "application/json");
        assertEquals(JSON.parse(text), expected);
      });
    }
    await t.step("keys that mean something to JavaScript", async () => {
      const { status, text } = await told(api, id, "proto");
      assertEquals(status, 200);
      assertEquals(text, '{"__proto__":{"email":"e***@e***.com"},"constructor":1}');
    });
    for (const [how, name] of [["bigint", "TypeError"], ["cyclic", "TypeError"]] as const) {
      await t.step(how, async () => {
        const { status, body } = await told(api, id, how);
        assertEquals([status, body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
        assertEquals(body["details"], { name });
      });
    }
    await t.step("who may see a value sees it at every depth", async () => {
      const { text } = await told(api, id, "nested", DOCTOR);
      assertEquals(text.split(PLAIN).length - 1, 2);
    });
  });
});

Deno.test("whatever a handler throws is told by its class, or as it says itself", async (t) => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const failures: readonly (readonly [string, string])[] = [
      ["throwText", "string"],
      ["throwNull", "object"],
      ["throwObject", "object"],
      ["httpError", "HTTPException"],
      // A status that is no error's cannot be an answer.
      ["throwOdd", "ActionError"],
    ];
    for (const [how, name] of failures) {
      await t.step(how, async () => {
        const { status, body, text } = await told(api, id, how);
        assertEquals([status, body["code"], body["layer"]], [
          500,
          "ACTION_EXECUTION_FAILED",
          "action",
        ]);
        assertEquals(body["details"], { name });
        assert(!text.includes("secret"));
      });
    }
    await t.step("an own error class, with details that are no JSON", async () => {
      const { status, body } = await told(api, id, "throwSecret");
      assertEquals([status, body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
    });
  });
});

Deno.test("EXPOSE_ERROR_STACK tells of what a handler threw, and nothing less than the contract says", async () => {
  await withClinic(async (api) => {
    const { status, body } = await api.ask("patients/watch", {
      as: NURSE,
      body: { fail: "before", events: 1 },
    });
    assertEquals(status, 500);
    assertEquals(body["detail"], "a secret");
    const { name, cause, frames, stack } = Object(body["details"]);
    assertEquals([name, cause], ["TypeError", null]);
    assert(Array.isArray(frames) && frames.length <= 3, String(frames));
    assert(frames.every((frame: unknown) => !String(frame).includes("/")), String(frames));
    assert(String(stack).includes("watch.ts"), String(stack));
  }, { settings: { exposeErrorStack: true } });
});

Deno.test("what the database refuses a handler is answered as the contract names it", async (t) => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const refusals: readonly (readonly [string, readonly unknown[]])[] = [
      ["unique", [409, "DB_UNIQUE_VIOLATION", "database", undefined]],
      ["notNull", [400, "DB_NOT_NULL_VIOLATION", "database", { column: "name" }]],
      ["reference", [400, "VALIDATION_ERROR", "validation", {
        column: "patientId",
        fields: { patientId: "Must be the id of an existing record" },
      }]],
    ];
    for (const [how, expected] of refusals) {
      await t.step(how, async () => {
        const { status, body } = await told(api, id, how);
        assertEquals([status, body["code"], body["layer"], body["details"]], expected);
      });
    }
    await t.step(
      "a column that is masked for the caller is not named, and is for others",
      async () => {
        assertEquals((await told(api, id, "unique", NURSE)).body["details"], { column: "number" });
      },
    );
    await t.step("a handler that catches it goes on", async () => {
      assertEquals((await told(api, id, "caught")).body, { caught: true });
    });
  });
});

Deno.test("`output` holds a handler to its word in development, and not in production", async () => {
  for (const production of [false, true]) {
    await withClinic(async (api) => {
      await admit(api);
      const { status, body } = await api.ask("patients/counted", { as: CLERK });
      assertEquals([status, body], [200, { patients: 1 }]);
    }, { settings: { production } });
  }
});

Deno.test("a file is the handler's own response, behind all layers", async (t) => {
  await withClinic(async (api) => {
    await admit(api);
    await t.step("its status, type and headers are the handler's", async () => {
      const { status, headers, text } = await api.ask("patient-files/may", { as: NURSE });
      assertEquals(status, 206);
      assertEquals(headers.get("content-type"), "text/csv");
      assertEquals(headers.get("content-disposition"), 'attachment; filename="may.csv"');
      assertEquals(headers.get("x-content-type-options"), "nosniff");
      assert(text.startsWith("Eve"));
    });
    await t.step("refusals before it are problems, its own are flat", async () => {
      assertEquals((await api.ask("patient-files/may")).body["code"], "AUTH_MISSING");
      const denied = await api.ask("patient-files/may", { as: CLERK });
      assertEquals([denied.status, denied.body["code"]], [403, "ACCESS_ROLE_REQUIRED"]);
      const own = await api.ask("patient-files/may?refuse=true", { as: NURSE });
      assertEquals([own.status, own.body], [423, { error: "Not today", code: "CLOSED" }]);
      const crash = await api.ask("patient-files/may?crash=true", { as: NURSE });
      assertEquals([crash.status, crash.body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
    });
    await t.step("HEAD has the headers and no body", async () => {
      const head = await api.ask("patient-files/may", { as: NURSE, method: "HEAD" });
      assertEquals([head.status, head.headers.get("content-type"), head.text], [
        206,
        "text/csv",
        "",
      ]);
    });
  });
});

Deno.test("a stream is sent as it is made", async (t) => {
  await withClinic(async (api) => {
    const ask = (fail: string, events = 3) =>
      api.ask("patients/watch", { as: NURSE, body: { fail, events } });
    await t.step("to its end", async () => {
      const { status, headers, text } = await ask("never");
      assertEquals([status, headers.get("content-type")], [200, "text/event-stream"]);
      assertEquals(text, "data: hello 1\n\ndata: hello 2\n\ndata: hello 3\n\n");
    });
    await t.step("an error before its first byte is an answer", async () => {
      const { status, body } = await ask("before");
      assertEquals([status, body["code"]], [500, "ACTION_EXECUTION_FAILED"]);
    });
    await t.step("a refused input is a problem", async () => {
      const { status, headers, body } = await ask("never", 99);
      assertEquals([status, body["pointer"]], [400, "/events"]);
      assertEquals(headers.get("content-type"), "application/problem+json");
    });
    await t.step("a key is refused: nothing but JSON is kept", async () => {
      const { status, body } = await api.ask("patients/watch", {
        as: NURSE,
        body: { fail: "never", events: 1 },
        headers: { "idempotency-key": "k" },
      });
      assertEquals([status, body["code"]], [428, "PRECONDITION_UNSUPPORTED"]);
    });
    const open = async (fail: string, events: number) => {
      const headers = new Headers({
        host: "localhost:8000",
        authorization: `Bearer ${await tokenFor(NURSE)}`,
        "content-type": "application/json",
      });
      const body = JSON.stringify({ fail, events });
      const url = `${BASE_URL}/api/v1/patients/watch`;
      const request = new Request(url, { method: "POST", headers, body });
      const response = await api.fetch(request, { clientIp: null });
      const reader = response.body?.getReader();
      if (!reader) throw new Error("There is no stream");
      return reader;
    };
    await t.step("an error after its first byte breaks it off, and is logged", async () => {
      const reader = await open("during", 3);
      const { value } = await reader.read();
      assertEquals(new TextDecoder().decode(value), "data: hello 1\n\n");
      await assertRejects(() => reader.read(), TypeError);
      assertMatch(api.log.at(-1)?.message ?? "", /^The stream of runPatients_Watch broke off$/);
    });
    await t.step("a client that leaves ends it", async () => {
      Reflect.set(globalThis, "clinicStreamCancelled", false);
      const reader = await open("never", 9);
      await reader.read();
      await reader.cancel();
      assertEquals(Reflect.get(globalThis, "clinicStreamCancelled"), true);
    });
  });
});

Deno.test("a file or a stream that is no response is the handler's fault, and a bare stream is one of events", () => {
  const action = (name: string, responseType: string, value: string) =>
    `${name}: { description: "Answers", path: "/answers/${name}", method: "GET", responseType: "${responseType}",
    input: z.object({}), access: { roles: ["nurse"] }, execute: () => (${value}) },`;
  const stream = 'new Response("data: 1\\n\\n").body';
  return withCompiledActions({
    "quickback/quickback.config.ts": 'export default { name: "answers" };',
    "quickback/features/answers/actions.ts": `import { z } from "quickback";
export default { actions: {
${action("text", "file", '"a text"')}
${action("nothing", "file", "undefined")}
${action("body", "file", stream)}
${action("object", "stream", "{}")}
${action("events", "stream", stream)}
${
      action(
        "made",
        "file",
        'new Response("a,b", { status: 203, headers: { "content-type": "text/csv" } })',
      )
    }
} };`,
  }, async (api) => {
    for (const name of ["text", "nothing", "body", "object"]) {
      const { status, body } = await api.ask(`answers/${name}`, { as: NURSE });
      assertEquals([status, body["code"]], [500, "ACTION_EXECUTION_FAILED"], name);
    }
    const events = await api.ask("answers/events", { as: NURSE });
    assertEquals([events.status, events.headers.get("content-type"), events.text], [
      200,
      "text/event-stream",
      "data: 1\n\n",
    ]);
    const made = await api.ask("answers/made", { as: NURSE });
    assertEquals([made.status, made.headers.get("content-type"), made.text], [
      203,
      "text/csv",
      "a,b",
    ]);
  });
});
