/** Moves of a state field over HTTP: `to`, `via`, `guard`, `onIllegal`, `idempotent`, `stamp`, `clears`, and who wins (contract 3.2). */
import { assertEquals } from "@std/assert";
import { START } from "../support/api.ts";
import { DRIVERS } from "../support/databases.ts";
import { admit, CLERK, DOCTOR, NURSE, withClinic } from "../support/clinic.ts";

const AT = new Date(START).toISOString();

Deno.test("a move stamps, a second one is a noop, and a guard keeps the record where it is", async () => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const discharge = () => api.ask(`patients/${id}/discharge`, { as: DOCTOR, method: "POST" });
    const done = { success: true, stay: "discharged", dischargedAt: AT };
    assertEquals((await discharge()).body, done);
    api.pass(60_000);
    assertEquals((await discharge()).body, done);
    const read = await api.ask(`patients/${id}`, { as: DOCTOR });
    assertEquals([read.body["modifiedAt"], read.body["modifiedBy"]], [AT, "dora"]);
    await api.database.write((transaction) =>
      transaction.run({ sql: "UPDATE patients SET beds = 0, stay = 'admitted'", args: [] })
    );
    const guarded = await discharge();
    assertEquals([guarded.status, guarded.body["code"]], [
      409,
      "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE",
    ]);
    assertEquals(guarded.body["details"], {
      conditions: { and: [{ stay: { in: ["admitted"] } }, { beds: { greaterThan: 0 } }] },
    });
  });
});

Deno.test("`via` takes the state from the input; `onIllegal` says it in the author's words", async () => {
  await withClinic(async (api) => {
    const id = await admit(api);
    const move = (stay: unknown) =>
      api.ask(`patients/${id}/readmit`, { as: NURSE, body: { stay } });
    const illegal = await move("admitted");
    assertEquals([illegal.status, illegal.body], [422, {
      error: "The patient cannot go there",
      code: "STAY_NOT_ALLOWED",
    }]);
    const unknown = await move("discharged");
    assertEquals([unknown.status, unknown.body["pointer"]], [400, "/stay"]);
    await api.ask(`patients/${id}/discharge`, { as: DOCTOR, method: "POST" });
    assertEquals((await move("admitted")).body, { success: true, stay: "admitted" });
    const read = await api.ask(`patients/${id}`, { as: DOCTOR });
    assertEquals([read.body["stay"], read.body["dischargedAt"]], ["admitted", null]);
    assertEquals((await move("transferred")).body["stay"], "transferred");
    assertEquals((await move("admitted")).status, 422);
    const many = await api.ask("patients/batch/readmit", {
      as: NURSE,
      body: { ids: [id], input: { stay: "admitted" } },
    });
    assertEquals(many.status, 207);
    const [failure] = Array.isArray(many.body["errors"]) ? many.body["errors"] : [];
    assertEquals(failure.error.code, "STAY_NOT_ALLOWED");
  });
});

Deno.test("a handler makes its move, leaves it to the service, or says that it lost", async () => {
  await withClinic(async (api) => {
    const { body } = await api.ask("appointments/ask?organizationId=org_a", {
      body: { reason: "Hello" },
    });
    const confirm = (how: string) =>
      api.ask(`appointments/${body["id"]}/confirm`, { as: CLERK, body: { how } });
    const lost = await confirm("lose");
    assertEquals([lost.status, lost.body["code"]], [409, "ACCESS_TRANSITION_LOST"]);
    assertEquals((await confirm("forget")).body, { forgotten: true });
    assertEquals((await confirm("move")).body["code"], "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE");
  });
});

for (const driver of DRIVERS) {
  Deno.test(`twenty callers at once: one moves the record (${driver.name})`, async () => {
    await withClinic(async (api) => {
      const { body } = await api.ask("appointments/ask?organizationId=org_a", {
        body: { reason: "Hello" },
      });
      const answers = await Promise.all(
        Array.from(
          { length: 20 },
          () => api.ask(`appointments/${body["id"]}/confirm`, { as: CLERK, body: {} }),
        ),
      );
      const won = answers.filter(({ status }) => status === 200);
      assertEquals(won.map(({ body }) => body), [{ moved: 1 }]);
      const codes = new Set(
        answers.filter(({ status }) => status !== 200).map(({ body }) => body["code"]),
      );
      const lost = ["ACCESS_ACTION_NOT_ALLOWED_FOR_STATE", "ACCESS_TRANSITION_LOST"];
      assertEquals([...codes].filter((code) => !lost.includes(String(code))), []);
      assertEquals(answers.every(({ status }) => status === 200 || status === 409), true);
      const read = await api.ask(`appointments/${body["id"]}`, { as: CLERK });
      assertEquals(read.headers.get("etag"), '"2"');
    }, { driver });
  });

  Deno.test(`twenty callers at once: a noop move happens once and succeeds for all (${driver.name})`, async () => {
    await withClinic(async (api) => {
      const id = await admit(api);
      const answers = await Promise.all(
        Array.from(
          { length: 20 },
          () => api.ask(`patients/${id}/discharge`, { as: DOCTOR, method: "POST" }),
        ),
      );
      assertEquals(
        answers.map(({ status, body }) => [status, body["dischargedAt"]]),
        Array(20).fill([200, AT]),
      );
    }, { driver });
  });

  Deno.test(`twenty callers at once: beds are taken until there are none (${driver.name})`, async () => {
    await withClinic(async (api) => {
      const ward = await api.ask("wards", { as: NURSE, body: { title: "West" } });
      const answers = await Promise.all(
        Array.from(
          { length: 20 },
          () => api.ask(`wards/${ward.body["id"]}/occupy`, { as: NURSE, body: {} }),
        ),
      );
      const left = answers.flatMap(({ status, body }) => status === 200 ? [body["free"]] : []);
      assertEquals(left.sort(), [0, 1, 2]);
      assertEquals(answers.filter(({ status }) => status === 409).length, 17);
    }, { driver });
  });
}
