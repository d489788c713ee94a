/** The small project with batches on every write, and a table whose ids its clients choose. */
import type { Access } from "../../shared/model/access.ts";
import type { ProjectModel } from "../../shared/model/project.ts";
import type { BatchModel, ResourceModel, WriteModel } from "../../shared/model/resource.ts";
import { assembleProject, column } from "../../shared/model/table_spec.ts";
import type { TableModel } from "../../shared/model/table.ts";
import {
  counters,
  projects,
  projectsResource,
  settings,
  tasks,
  tasksResource,
} from "./sample_project.ts";

const ADMIN: Access = { kind: "roles", roles: ["admin"] };

function batchOf(access: Access): BatchModel {
  return { access, maxBatchSize: 100, allowFailFast: true };
}

function write(access: Access): WriteModel {
  return { access, action: null, batch: batchOf(access) };
}

function withBatches(resource: ResourceModel): ResourceModel {
  const { create, update } = resource;
  return {
    ...resource,
    create: create && write(create.access),
    update: update && write(update.access),
    delete: resource.delete && { ...write(resource.delete.access), mode: resource.delete.mode },
  };
}

const labels: TableModel = {
  ...projects,
  name: "labels",
  sqlName: "labels",
  columns: [
    ...projects.columns.filter(({ manager }) => manager !== "client"),
    column({
      name: "text",
      type: { kind: "text", maxLength: 40, enum: null },
      nullable: false,
    }),
  ],
  idStrategy: false,
  idPrefix: "",
  indexes: [],
  displayColumn: "text",
};

const labelsResource: ResourceModel = {
  ...projectsResource,
  name: "labels",
  segment: "labels",
  table: "labels",
  guards: null,
  read: { access: ADMIN, include: [], defaultView: null, views: [] },
  create: write(ADMIN),
  update: write(ADMIN),
  delete: { ...write(ADMIN), mode: "soft", restore: { access: ADMIN } },
  upsert: write(ADMIN),
  audit: { access: ADMIN, keepDays: 365 },
};

export const projectWithBatches: ProjectModel = assembleProject(settings, [
  { table: projects, resource: withBatches(projectsResource) },
  { table: tasks, resource: withBatches(tasksResource) },
  { table: labels, resource: labelsResource },
  { table: counters, resource: null },
]);
