import { assertEquals } from "@std/assert";
import { ofOneDatabase } from "../support/databases.ts";
import { ACTION_LAYER_ORDER } from "../../shared/surface/layer_order.ts";
import { type ApiUnderTest, type Claims, isRecord } from "../support/api.ts";
import { withCompiledActions } from "../support/compiled_actions.ts";
import { DESK } from "../support/desk_with_actions.ts";

const test = ofOneDatabase("code across tenants writes no SQL of its own there");

const ANN: Claims = { sub: "ann", orgId: "org_a", roles: ["member"] };
const BEN: Claims = { sub: "ben", orgId: "org_b", roles: ["member"] };
const GUEST: Claims = { sub: "gus", orgId: "org_a", roles: ["guest"] };
const ROOT: Claims = { sub: "root", userRole: "sysadmin" };

async function makeJob(api: ApiUnderTest, as = ANN): Promise<string> {
  const body = { title: "One", email: "jane.doe@example.com", urgent: true };
  const { status, body: job } = await api.ask("jobs", { as, body });
  assertEquals(status, 201);
  return String(job["id"]);
}

async function run(api: ApiUnderTest, path: string, ask: { as?: Claims; body?: unknown } = {}) {
  const { status, body } = await api.ask(path, { as: ANN, method: "POST", body: {}, ...ask });
  return { status, body, code: body["code"] };
}

async function titleOf(api: ApiUnderTest, id: string): Promise<unknown> {
  return (await api.ask(`jobs/${id}`, { as: ANN })).body["title"];
}

async function auditRows(api: ApiUnderTest): Promise<unknown> {
  const { rows } = await api.database.run({
    sql: "SELECT action_name, actor_user_id, result, error_code, unsafe_reason FROM audit_events",
    args: [],
  });
  return rows.map((row) => [...row]);
}

Deno.test("actions of a compiled project answer as the contract says", async (t) => {
  await withCompiledActions(DESK, async (api) => {
    await t.step("the layers judge a record action in their order", async () => {
      const id = await makeJob(api);
      const path = `jobs/${id}/finish`;
      const anonymous = await api.ask(path, { method: "POST", body: {} });
      assertEquals([anonymous.status, anonymous.body["code"]], [401, "AUTH_MISSING"]);
      // Each of these is wrong in everything that comes later, too.
      assertEquals(
        (await run(api, path, { as: { ...BEN, roles: [] } })).code,
        "FIREWALL_NOT_FOUND",
      );
      assertEquals((await run(api, path, { as: GUEST })).code, "ACCESS_ROLE_REQUIRED");
      const early = await run(api, path, { body: { note: 5 } });
      assertEquals([early.status, early.code], [409, "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"]);
      assertEquals(early.body["details"], { conditions: { status: { equals: "open" } } });
      await run(api, `jobs/${id}/open`);
      const wrong = await run(api, path, { body: { note: 5 } });
      assertEquals([wrong.status, wrong.code], [400, "VALIDATION_ERROR"]);
      assertEquals(wrong.body["pointer"], "/note");
      assertEquals(isRecord(wrong.body["details"]) && Object.keys(wrong.body["details"]), [
        "fields",
      ]);
      assertEquals((await run(api, path, { body: "{" })).code, "INVALID_JSON");
      const big = { note: "x".repeat(1_100_000) };
      assertEquals((await run(api, path, { body: big })).code, "PAYLOAD_TOO_LARGE");
      const done = await api.ask(path, { as: ANN, body: { note: "Fine" } });
      assertEquals(done.body, {
        id,
        deep: [{ contact: { email: "j***@e***.com" }, again: "j***@e***.com" }],
        urgent: true,
      });
      assertEquals(done.steps, ACTION_LAYER_ORDER.recordAction);
      assertEquals(await titleOf(api, id), "Fine");
    });

    await t.step("what a handler throws undoes what it did", async () => {
      const id = await makeJob(api);
      const own = await run(api, `jobs/${id}/fail`, { body: { how: "own" } });
      assertEquals([own.status, own.body], [418, {
        error: "No",
        code: "NOT_NOW",
        details: { why: "because" },
      }]);
      const crash = await run(api, `jobs/${id}/fail`, { body: { how: "crash" } });
      assertEquals([crash.status, crash.code], [500, "ACTION_EXECUTION_FAILED"]);
      assertEquals(crash.body["details"], { name: "RangeError" });
      assertEquals(await titleOf(api, id), "One");
      for (const how of ["answer", "nothing"]) {
        const answer = await run(api, `jobs/${id}/fail`, { body: { how } });
        assertEquals([answer.status, answer.body], [200, {}]);
      }
      assertEquals(await titleOf(api, id), "changed");
    });

    await t.step("a rehearsal changes nothing", async () => {
      const id = await makeJob(api);
      const answer = await api.ask(`jobs/${id}/open?dryRun=true`, { as: ANN, method: "POST" });
      assertEquals(answer.headers.get("preference-applied"), "dry-run");
      assertEquals(answer.body["status"], "open");
      assertEquals((await api.ask(`jobs/${id}`, { as: ANN })).body["status"], "draft");
    });

    await t.step("records that the input names pass the caller's firewall", async () => {
      const id = await makeJob(api);
      const foreign = await makeJob(api, BEN);
      assertEquals((await run(api, `jobs/${id}/link`, { body: { otherId: id } })).body, {
        other: "One",
      });
      for (const otherId of [foreign, "job_none"]) {
        const { status, body } = await run(api, `jobs/${id}/link`, { body: { otherId } });
        assertEquals([status, body["code"], body["pointer"]], [
          400,
          "VALIDATION_ERROR",
          "/otherId",
        ]);
      }
    });

    await t.step("a key runs an action once, whatever it answered", async () => {
      const id = await makeJob(api);
      const send = () =>
        api.ask(`jobs/${id}/open`, {
          as: ANN,
          method: "POST",
          headers: { "idempotency-key": "k-open" },
        });
      const [first, second] = [await send(), await send()];
      assertEquals([first.status, second.status], [200, 200]);
      assertEquals(second.text, first.text);
    });

    await t.step("a GET takes its input typed from the query", async () => {
      const found = await api.ask("jobs/search?limit=1&urgent=false", { as: BEN });
      assertEquals(found.status, 200);
      assertEquals(found.steps, ACTION_LAYER_ORDER.standaloneAction);
      const { rows, ...rest } = found.body;
      assertEquals(rest, { urgent: false, user: "ben", env: "hello", key: null });
      assertEquals(Array.isArray(rows) && rows.map((row) => row.organizationId), ["org_b"]);
      const codes = await Promise.all(
        ["limit=x", "limit=9", "", "limit=1&limit=2"].map(async (query) => {
          const { status, body } = await api.ask(`jobs/search?${query}`, { as: ANN });
          return [status, body["code"]];
        }),
      );
      assertEquals(codes, [
        [400, "VALIDATION_ERROR"],
        [400, "VALIDATION_ERROR"],
        [400, "VALIDATION_ERROR"],
        [400, "VALIDATION_INVALID_INPUT"],
      ]);
      const wrongVerb = await api.ask("jobs/search", { as: ANN, method: "PUT", body: {} });
      assertEquals([wrongVerb.status, wrongVerb.headers.get("allow")], [405, "GET"]);
      const noOrganization = await api.ask("jobs/search?limit=1", {
        as: { sub: "ann", roles: ["member"] },
      });
      assertEquals(noOrganization.body["code"], "ACCESS_NO_ORG");
    });

    await t.step("a stream is answered as it is", async () => {
      const answer = await api.ask("ticks/now", { as: ANN });
      assertEquals(answer.headers.get("content-type"), "text/event-stream");
      assertEquals(answer.text, "data: now\n\n");
    });

    await t.step(
      "a verb that runs an action keeps its address and takes the action's input",
      async () => {
        const id = await makeJob(api);
        const wrong = await api.ask(`jobs/${id}`, { as: ANN, method: "DELETE", body: {} });
        assertEquals([wrong.status, wrong.body["pointer"]], [400, "/reason"]);
        const body = { reason: "old" };
        const gone = await api.ask(`jobs/${id}`, { as: ANN, method: "DELETE", body });
        assertEquals([gone.status, gone.body], [200, { retired: id, reason: "old" }]);
        assertEquals((await run(api, `jobs/${id}/retire`)).status, 404);
      },
    );

    await t.step("several records pass or fail by themselves", async () => {
      const [one, two, foreign] = [await makeJob(api), await makeJob(api), await makeJob(api, BEN)];
      await run(api, `jobs/${two}/open`);
      const stopped = await run(api, "jobs/batch/open", {
        body: { ids: [one, two], options: { failFast: true } },
      });
      assertEquals([stopped.status, stopped.code], [400, "BATCH_FAIL_FAST_STOPPED"]);
      const asked = { as: ANN, body: { ids: [one, two, foreign], input: {} } };
      const { status, body, steps } = await api.ask("jobs/batch/open", asked);
      assertEquals(status, 207);
      assertEquals(steps, ACTION_LAYER_ORDER.bulkAction);
      assertEquals(body["meta"], {
        total: 3,
        succeeded: 1,
        failed: 2,
        failFast: false,
        transactional: false,
      });
      const errors = body["errors"];
      assertEquals(Array.isArray(errors) && errors.map(({ id, error }) => [id, error.code]), [
        [two, "ACCESS_ACTION_NOT_ALLOWED_FOR_STATE"],
        [foreign, "FIREWALL_NOT_FOUND"],
      ]);
      assertEquals(
        (await run(api, "jobs/batch/open", { body: { ids: [] } })).code,
        "BATCH_MISSING_IDS",
      );
    });
  });
});

test("an action across tenants needs a sysadmin, and leaves its rows whatever happens", async () => {
  await withCompiledActions(DESK, async (api) => {
    const id = await makeJob(api);
    await makeJob(api, BEN);
    assertEquals((await run(api, "count-all")).code, "ACCESS_ROLE_REQUIRED");
    assertEquals((await run(api, "count-all", { as: ROOT, body: { fail: true } })).status, 500);
    assertEquals(await titleOf(api, id), "One");
    assertEquals((await run(api, "count-all", { as: ROOT })).body, { count: 2 });
    assertEquals(await titleOf(api, id), "counted");
    assertEquals(await auditRows(api), [
      ["jobs.count-all", "ann", "denied", "ACCESS_ROLE_REQUIRED", "Monthly report"],
      ["jobs.count-all", "root", "error", "ACTION_EXECUTION_FAILED", "Monthly report"],
      ["jobs.count-all", "root", "success", null, "Monthly report"],
    ]);
  });
});
