import { feature, q } from "quickback";

/** What a team works on. */
export default feature("projects", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text({ maxLength: 120 }).required().unique().searchable(),
    description: q.text({ maxLength: 4000 }).searchable(),
    // The beginning of its tasks' names, as in "WEB-12".
    key: q.text({ pattern: "^[A-Z]{2,5}$", examples: ["WEB", "OPS"] }),
    status: q.enum(["active", "paused", "done"]).required().default("active"),
    color: q.enum(["gray", "blue", "green", "amber", "red"]).required().default("gray"),
    // Exact: cents are never rounded, and a body says "1200.50" as a text.
    budget: q.decimal({ precision: 12, scale: 2, min: "0" }),
    // Two people who edit at once do not overwrite each other: `If-Match` says which version was read.
    version: q.revision(),
  },

  // Nobody types an organization id: the row is stamped with the caller's, and only ever read through it.
  guards: {
    createable: ["name", "description", "key", "color", "budget"],
    updatable: ["name", "description", "key", "status", "color", "budget"],
  },

  read: {
    access: { roles: ["viewer+"] },
    views: {
      budgets: {
        fields: ["id", "name", "status", "budget"],
        aggregations: {
          total: { fn: "sum", field: "budget" },
          mean: { fn: "avg", field: "budget" },
        },
      },
    },
  },
  create: { access: { roles: ["member+"] } },
  update: { access: { roles: ["member+"] } },
  // Soft by default: its tasks leave with it, and come back with it.
  delete: { access: { roles: ["admin+"] }, restore: { access: { roles: ["admin+"] } } },

  displayColumn: "name",
  defaultSort: "name",
});
