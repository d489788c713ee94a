/** Which batches exist, and what each may be refused with (contract 4.1 rules 3, 6 and 9). */
import { assertEquals } from "@std/assert";
import type { ProjectModel } from "../../../shared/model/project.ts";
import type { ResourceModel } from "../../../shared/model/resource.ts";
import { operationsOf, reservedPathsOf } from "../../../shared/surface/operations.ts";
import { codesOf, itemCodesOf, successOf } from "../../../shared/surface/responses.ts";
import { projectWithBatches } from "../../support/batch_project.ts";

function named(id: string, project: ProjectModel = projectWithBatches) {
  const operation = operationsOf(project).find((candidate) => candidate.id === id);
  if (!operation) throw new Error(`No operation "${id}"`);
  return operation;
}

function writesOf(name: string, project: ProjectModel = projectWithBatches): readonly string[] {
  return operationsOf(project)
    .filter(({ resource, method }) => resource.name === name && method !== "GET")
    .map(({ method, path, rate }) => `${method} ${path} ${rate}`);
}

Deno.test("every write has its batch, PUT counts as an update", () => {
  assertEquals(writesOf("labels"), [
    "POST /api/v1/labels create",
    "PATCH /api/v1/labels/:id update",
    "DELETE /api/v1/labels/:id delete",
    "PUT /api/v1/labels/:id update",
    "POST /api/v1/labels/:id/restore update",
    "POST /api/v1/labels/batch create",
    "PATCH /api/v1/labels/batch update",
    "DELETE /api/v1/labels/batch delete",
    "PUT /api/v1/labels/batch update",
  ]);
});

Deno.test("a write that runs an action, and one that switches its batch off, has none", () => {
  const project = changed("labels", (resource) => ({
    ...resource,
    create: resource.create && { ...resource.create, action: "print" },
    update: resource.update && { ...resource.update, batch: null },
  }));
  assertEquals(writesOf("labels", project).filter((write) => write.includes("/batch")), [
    "DELETE /api/v1/labels/batch delete",
    "PUT /api/v1/labels/batch update",
  ]);
  assertEquals(reservedPathsOf(project).includes("/api/v1/labels/batch"), true);
});

Deno.test("a batch is refused as a whole by what concerns all of it, and each record by the rest", () => {
  const update = named("batchUpdateTasks");
  assertEquals(successOf(update).statuses, [200, 207]);
  const whole = codesOf(update, projectWithBatches);
  for (const code of ["BATCH_SIZE_EXCEEDED", "BATCH_MISSING_IDS", "BATCH_FAIL_FAST_STOPPED"]) {
    assertEquals(whole.some((one) => one === code), true, code);
  }
  assertEquals([...itemCodesOf(update, projectWithBatches)].sort(), [
    "DB_NOT_NULL_VIOLATION",
    "GUARD_FIELD_IMMUTABLE",
    "GUARD_FIELD_NOT_UPDATABLE",
    "GUARD_SYSTEM_MANAGED",
    "NOT_FOUND",
    "VALIDATION_ERROR",
  ]);
  assertEquals(whole.filter((code) => code.startsWith("GUARD_") || code === "NOT_FOUND"), []);
});

Deno.test("without fail-fast a batch cannot be stopped by it", () => {
  const project = changed("labels", (resource) => ({
    ...resource,
    create: resource.create && {
      ...resource.create,
      batch: resource.create.batch && { ...resource.create.batch, allowFailFast: false },
    },
  }));
  const codes = codesOf(named("batchCreateLabels", project), project);
  assertEquals(codes.some((code) => code === "BATCH_FAIL_FAST_STOPPED"), false);
});

Deno.test("a PUT answers 200 or 201, and a miss is no refusal of it", () => {
  assertEquals(successOf(named("upsertLabels")), { statuses: [200, 201], body: "record" });
  const codes = codesOf(named("upsertLabels"), projectWithBatches);
  const firewall = codes.filter((code) => code.startsWith("FIREWALL_"));
  assertEquals(firewall, ["FIREWALL_ORG_ISOLATION", "FIREWALL_SOFT_DELETED"]);
});

function changed(name: string, change: (resource: ResourceModel) => ResourceModel): ProjectModel {
  const resources = projectWithBatches.resources.map((resource) =>
    resource.name === name ? change(resource) : resource
  );
  return { ...projectWithBatches, resources };
}
