import { feature, q } from "quickback";
import projects from "../projects/projects.ts";

/** One piece of work and its way from `todo` to `done`. */
export default feature("tasks", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    projectId: q.text().required().references(() => projects.id, { onDelete: "cascade" }),
    title: q.text({ maxLength: 200 }).required().searchable(),
    details: q.text({ maxLength: 10_000 }).searchable(),
    priority: q.enum(["low", "normal", "high"]).required().default("normal"),
    status: q.enum(["todo", "doing", "done"]).required().default("todo"),
    /** User id of the member who has it. */
    assigneeId: q.text(),
    tags: q.list(q.text({ maxLength: 30 }), { maxItems: 10 }),
    /** Hours that it may take. */
    estimate: q.int({ min: 1, max: 200 }),
    dueAt: q.timestamp(),
    completedAt: q.timestamp(),
  },

  guards: {
    createable: [
      "projectId",
      "title",
      "details",
      "priority",
      "assigneeId",
      "tags",
      "estimate",
      "dueAt",
    ],
    updatable: ["title", "details", "priority", "assigneeId", "tags", "estimate", "dueAt"],
    immutable: ["projectId"],
    // Only these actions move a task along.
    protected: { status: ["start", "complete", "reopen"], completedAt: ["complete", "reopen"] },
  },

  read: {
    access: { roles: ["viewer+"] },
    include: ["projectId"],
    views: {
      board: {
        fields: ["id", "title", "status", "priority", "assigneeId", "dueAt", "projectId"],
        include: ["projectId"],
        query: {
          filterable: ["status", "priority", "assigneeId", "projectId"],
          sortable: ["dueAt", "priority"],
          defaultSort: "dueAt",
        },
        aggregations: { tasks: { fn: "count" } },
      },
      // One row for each week and state: what is done when.
      weeks: {
        groupBy: [{ field: "dueAt", by: "week" }, "status"],
        aggregations: { tasks: { fn: "count" }, first: { fn: "min", field: "dueAt" } },
        query: { filterable: ["projectId", "assigneeId", "status"] },
      },
    },
  },
  create: { access: { roles: ["member+"] }, batch: { access: { roles: ["member+"] } } },
  update: { access: { roles: ["member+"] } },
  delete: { access: { roles: ["member+"] } },

  transitions: { status: { todo: ["doing", "done"], doing: ["todo", "done"], done: ["todo"] } },

  displayColumn: "title",
  defaultSort: "-createdAt",
  indexes: [{ columns: ["status", "dueAt"] }],
});
