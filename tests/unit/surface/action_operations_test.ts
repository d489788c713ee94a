import { actionOperationsOf } from "../../../shared/surface/action_operations.ts";
import { assertEquals } from "@std/assert";
import { PLAIN_ACTION, withActions } from "../../support/actions.ts";
import { toldOf } from "../../support/analysis.ts";

const FOLDER = "quickback/features/jobs/actions";

Deno.test("an action has one endpoint, a record action also one for many records", () => {
  const { model, errors } = withActions({
    [`${FOLDER}/run-stats.ts`]: PLAIN_ACTION.replace("execute", 'path: "/stats", execute'),
    [`${FOLDER}/peek.ts`]: PLAIN_ACTION.replace("execute", 'method: "GET", execute'),
  });
  assertEquals(toldOf(errors), []);
  assertEquals(
    model &&
      actionOperationsOf(model).map(({ id, kind, method, path }) => [id, kind, method, path]),
    [
      ["runJobs_Close", "recordAction", "POST", "/api/v1/jobs/:id/close"],
      ["runManyJobs_Close", "bulkAction", "POST", "/api/v1/jobs/batch/close"],
      ["runJobs_Peek", "recordAction", "GET", "/api/v1/jobs/:id/peek"],
      ["runJobs_RunStats", "standaloneAction", "POST", "/api/v1/stats"],
    ],
  );
});

Deno.test("an action that an operation runs has its address and its id", () => {
  const { model, errors } = withActions({
    "quickback/features/jobs/jobs.ts": `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: { organizationId: q.scope("organization") },
  update: { access: { roles: ["member"] }, action: "close" },
});
`,
  });
  assertEquals(toldOf(errors), []);
  assertEquals(
    model &&
      actionOperationsOf(model).map(({ id, kind, method, path }) => [id, kind, method, path]),
    [["updateJobs", "recordAction", "PATCH", "/api/v1/jobs/:id"]],
  );
});
