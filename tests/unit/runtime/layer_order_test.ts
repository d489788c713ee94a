/** Every operation takes its layers in the order of `surface/layer_order` (contract 1.3), and stops where it is refused. */
import { assertEquals } from "@std/assert";
import { LAYER_ORDER } from "../../../shared/surface/layer_order.ts";
import type { OperationKind } from "../../../shared/surface/operations.ts";
import { type ApiUnderTest, type Ask, withApi } from "../../support/api.ts";
import { projectWithBatches as project } from "../../support/batch_project.ts";

const admin = { sub: "user_1", orgId: "org_1", roles: ["admin"] };
const member = { ...admin, sub: "user_2", roles: ["member"] };

async function createdProject(api: ApiUnderTest): Promise<string> {
  // A deleted label, to be restored.
  await api.ask("labels/green", { as: admin, method: "PUT", body: { text: "Green" } });
  await api.ask("labels/green", { as: admin, method: "DELETE" });
  const answer = await api.ask("projects", { as: admin, body: { name: "Apollo" } });
  return `projects/${answer.body["id"]}`;
}

/** A good request of each kind. */
const GOOD: Readonly<Record<OperationKind, (record: string) => readonly [string, Ask]>> = {
  list: () => ["projects", { as: admin }],
  view: () => ["projects/views/names", { as: admin }],
  get: (record) => [record, { as: admin }],
  create: () => ["projects", { as: admin, body: { name: "Gemini" } }],
  update: (record) => [record, { as: admin, method: "PATCH", body: { budget: 1 } }],
  delete: (record) => [record, { as: admin, method: "DELETE" }],
  upsert: () => ["labels/red", { as: admin, method: "PUT", body: { text: "Red" } }],
  history: () => ["labels/green/history", { as: admin }],
  restore: () => ["labels/green/restore", { as: admin, method: "POST" }],
  batchCreate: () => ["labels/batch", { as: admin, body: { records: [RED] } }],
  batchUpdate: (record) => [
    "projects/batch",
    { as: admin, method: "PATCH", body: { records: [{ id: idOf(record), budget: 1 }] } },
  ],
  batchDelete: (record) => [
    "projects/batch",
    { as: admin, method: "DELETE", body: { ids: [idOf(record)] } },
  ],
  batchUpsert: () => ["labels/batch", { as: admin, method: "PUT", body: { records: [RED] } }],
};

const RED = { id: "red", text: "Red" };

function idOf(record: string): string {
  return record.split("/")[1] ?? "";
}

for (const [kind, order] of Object.entries(LAYER_ORDER)) {
  Deno.test(`${kind} takes every layer in order`, async () => {
    await withApi(project, async (api) => {
      const record = await createdProject(api);
      for (const [known, good] of Object.entries(GOOD)) {
        if (known !== kind) continue;
        const { steps } = await api.ask(...good(record));
        assertEquals(steps, order);
      }
    });
  });
}

Deno.test("a read with a row condition takes the same layers", async () => {
  await withApi(project, async (api) => {
    const record = await createdProject(api);
    const projectId = idOf(record);
    const task = await api.ask("tasks", { as: member, body: { projectId, title: "Fly" } });
    const { status, steps } = await api.ask(`tasks/${task.body["id"]}`, { as: member });
    assertEquals([status, steps], [200, LAYER_ORDER.get]);
  });
});

Deno.test("a read that was kept reports the layers that run, and no others", async () => {
  await withApi(project, async (api) => {
    const record = await createdProject(api);
    const kept = new Set(["access.role", "validation"]);
    for (const kind of ["get", "list", "view"] as const) {
      const [path, ask] = GOOD[kind](record);
      const run = LAYER_ORDER[kind].filter((step) => !kept.has(step));
      assertEquals((await api.ask(path, ask)).steps, LAYER_ORDER[kind]);
      assertEquals((await api.ask(path, ask)).steps, run);
      assertEquals((await api.ask(`${path}?fields=id`, ask)).steps, LAYER_ORDER[kind]);
    }
    const missed = await api.ask("projects/nope", { as: admin });
    assertEquals([missed.status, missed.steps], [403, [
      "authentication",
      "rate-limit",
      "firewall",
    ]]);
  });
});

const REFUSED: readonly (readonly [string, Ask, code: string, last: string])[] = [
  ["projects", {}, "AUTH_MISSING", "authentication"],
  ["projects", { as: { ...admin, roles: [] } }, "ACCESS_ROLE_REQUIRED", "access.role"],
  ["projects?nope=1", { as: admin }, "VALIDATION_INVALID_INPUT", "validation"],
  ["projects/nope", { as: admin }, "FIREWALL_NOT_FOUND", "firewall"],
  ["projects/nope", { as: { ...admin, roles: [] } }, "ACCESS_ROLE_REQUIRED", "access.role"],
  ["projects", { as: admin, body: { id: "x" } }, "GUARD_SYSTEM_MANAGED", "guards"],
  ["projects", { as: admin, body: "{" }, "INVALID_JSON", "guards"],
  ["projects", { as: admin, body: {} }, "VALIDATION_ERROR", "validation"],
  [
    "projects/nope",
    { as: { ...admin, roles: [] }, method: "PATCH", body: "{" },
    "FIREWALL_NOT_FOUND",
    "firewall",
  ],
  ["projects/nope", { as: member, method: "DELETE" }, "FIREWALL_NOT_FOUND", "firewall"],
];

for (const [path, ask, code, last] of REFUSED) {
  Deno.test(`${ask.method ?? (ask.body ? "POST" : "GET")} ${path} ends in ${last} with ${code}`, async () => {
    await withApi(project, async (api) => {
      const { body, steps } = await api.ask(path, ask);
      assertEquals([body["code"], steps.at(-1)], [code, last]);
    });
  });
}
