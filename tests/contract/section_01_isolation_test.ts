/** No tenant reads, changes, counts or infers another's rows (contract 1.3, 3.1, 7.2). */
import { assert, assertEquals } from "@std/assert";
import { type Answer, type ApiUnderTest, type Ask, isRecord, withApi } from "../support/api.ts";
import { project } from "../support/sample_project.ts";

const ours = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const theirs = { sub: "user_9", orgId: "org_9", roles: ["admin"] };

interface Desk {
  readonly project: string;
  readonly task: string;
}

async function seeded(api: ApiUnderTest, as = theirs): Promise<Desk> {
  const parent = await api.ask("projects", { as, body: { name: "Hidden", budget: 7 } });
  const projectId = String(parent.body["id"]);
  const child = await api.ask("tasks", { as, body: { projectId, title: "Hidden task" } });
  assertEquals([parent.status, child.status], [201, 201]);
  return { project: projectId, task: String(child.body["id"]) };
}

/** What an answer says once the id that was asked for is taken out: equal for missing and foreign. */
function withoutId(answer: Answer, id: string): unknown {
  const requestId = isRecord(answer.body["request"])
    ? String(answer.body["request"]["requestId"])
    : "";
  return [answer.status, answer.text.replaceAll(id, "<id>").replaceAll(requestId, "<request>")];
}

const TOUCHES: readonly (readonly [string, Ask])[] = [
  ["read", {}],
  ["changed", { method: "PATCH", body: { name: "x", title: "x" } }],
  ["deleted", { method: "DELETE" }],
];

for (const [verb, ask] of TOUCHES) {
  for (const resource of ["projects", "tasks"] as const) {
    Deno.test(`a foreign row of ${resource} cannot be ${verb}, and answers as a missing one does`, async () => {
      await withApi(project, async (api) => {
        const desk = await seeded(api);
        const id = resource === "projects" ? desk.project : desk.task;
        const missing = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`;
        const foreign = await api.ask(`${resource}/${id}`, { ...ask, as: ours });
        const nothing = await api.ask(`${resource}/${missing}`, { ...ask, as: ours });
        assertEquals(withoutId(foreign, id), withoutId(nothing, missing));
        assertEquals(
          foreign.body["code"],
          resource === "tasks" ? "NOT_FOUND" : "FIREWALL_NOT_FOUND",
        );
        assertEquals((await api.ask(`${resource}/${id}`, { as: theirs })).status, 200);
      });
    });
  }
}

Deno.test("lists, totals, searches and filters never count a foreign row", async () => {
  await withApi(project, async (api) => {
    const desk = await seeded(api);
    const questions = [
      "projects?total=true",
      "projects?search=Hidden&total=true",
      "projects?name=Hidden&total=true",
      `projects?id=${desk.project}&total=true`,
      "projects/views/names?total=true",
      `tasks?projectId=${desk.project}&total=true`,
    ];
    for (const question of questions) {
      const { status, body } = await api.ask(question, { as: ours });
      const pagination = isRecord(body["pagination"]) ? body["pagination"] : {};
      assertEquals([status, body["data"], pagination["total"]], [200, [], 0], question);
    }
  });
});

Deno.test("a foreign key into another tenant is refused as a missing one is", async () => {
  await withApi(project, async (api) => {
    const desk = await seeded(api);
    const foreign = await api.ask("tasks", {
      as: ours,
      body: { projectId: desk.project, title: "Mine" },
    });
    const missing = await api.ask("tasks", {
      as: ours,
      body: { projectId: "project_nope", title: "Mine" },
    });
    assertEquals(withoutId(foreign, desk.project), withoutId(missing, "project_nope"));
    assertEquals([foreign.body["code"], foreign.body["pointer"]], [
      "VALIDATION_ERROR",
      "/projectId",
    ]);
  });
});

Deno.test("a foreign key to one's own deleted row is refused as a missing one is", async () => {
  await withApi(project, async (api) => {
    const desk = await seeded(api);
    await api.ask(`projects/${desk.project}`, { as: theirs, method: "DELETE" });
    const { body } = await api.ask("tasks", {
      as: theirs,
      body: { projectId: desk.project, title: "Late" },
    });
    assertEquals([body["code"], body["pointer"]], ["VALIDATION_ERROR", "/projectId"]);
  });
});

Deno.test("a unique value of another tenant is free", async () => {
  await withApi(project, async (api) => {
    await seeded(api);
    const { status } = await api.ask("projects", { as: ours, body: { name: "Hidden" } });
    assertEquals(status, 201);
  });
});

Deno.test("a scope column in a body is refused, and the row is stamped with the caller's", async () => {
  await withApi(project, async (api) => {
    const forged = await api.ask("projects", {
      as: ours,
      body: { name: "Forged", organizationId: "org_9" },
    });
    assertEquals(forged.body["code"], "GUARD_SYSTEM_MANAGED");
    const honest = await api.ask("projects", { as: ours, body: { name: "Honest" } });
    assertEquals(honest.body["organizationId"], "org_1");
  });
});

Deno.test("another organization's name in the query is refused, hidden where the resource hides", async () => {
  await withApi(project, async (api) => {
    const revealed = await api.ask("projects?organizationId=org_9", { as: ours });
    const hidden = await api.ask("tasks?organizationId=org_9", { as: ours });
    const own = await api.ask("projects?organizationId=org_1", { as: ours });
    assertEquals([revealed.status, revealed.body["code"]], [403, "FIREWALL_ORG_ISOLATION"]);
    assertEquals([hidden.status, hidden.body["code"]], [404, "NOT_FOUND"]);
    assertEquals(own.status, 200);
  });
});

Deno.test("a caller without an active organization reaches no tenant's rows", async () => {
  await withApi(project, async (api) => {
    const desk = await seeded(api);
    const nowhere = { sub: "user_1", roles: ["admin"] };
    const asks: readonly (readonly [string, Ask])[] = [
      ["projects", {}],
      [`projects/${desk.project}`, {}],
      [`projects/${desk.project}`, { method: "PATCH", body: { name: "x" } }],
      [`projects/${desk.project}`, { method: "DELETE" }],
      ["projects", { body: { name: "x" } }],
    ];
    for (const [path, ask] of asks) {
      const { status, body } = await api.ask(path, { ...ask, as: nowhere });
      assertEquals([status, body["code"]], [403, "ACCESS_NO_ORG"], path);
    }
  });
});

Deno.test("one's own deleted row says so, another's does not, a hiding resource never does", async () => {
  await withApi(project, async (api) => {
    const desk = await seeded(api);
    await api.ask(`projects/${desk.project}`, { as: theirs, method: "DELETE" });
    const own = await api.ask(`projects/${desk.project}`, { as: theirs });
    const foreign = await api.ask(`projects/${desk.project}`, { as: ours });
    assertEquals(own.body["code"], "FIREWALL_SOFT_DELETED");
    assertEquals(foreign.body["code"], "FIREWALL_NOT_FOUND");
  });
});

Deno.test("nothing was written by any refused request", async () => {
  await withApi(project, async (api) => {
    const desk = await seeded(api);
    const before = await api.ask(`projects/${desk.project}`, { as: theirs });
    await api.ask(`projects/${desk.project}`, { as: ours, method: "PATCH", body: { name: "x" } });
    await api.ask(`projects/${desk.project}`, { as: ours, method: "DELETE" });
    const after = await api.ask(`projects/${desk.project}`, { as: theirs });
    assertEquals(after.text, before.text);
    assert(before.text.includes("Hidden"));
  });
});
