import { feature, q } from "quickback";
import sites from "../customers/sites.ts";

/** One piece of work at a site, from the call to the invoice. */
export default feature("workOrders", {
  columns: {
    organizationId: q.scope("organization"),
    number: q.text().required().default({ sequence: "WO-{0000}" }),
    siteId: q.text().required().references(() => sites.id),
    title: q.text({ maxLength: 200 }).required(),
    description: q.text({ maxLength: 10_000 }),
    priority: q.enum(["low", "normal", "high"]).required().default("normal"),
    status: q.enum(["open", "inProgress", "done", "invoiced", "cancelled"]).required().default(
      "open",
    ),
    scheduledFor: q.date(),
    startedAt: q.timestamp(),
    completedAt: q.timestamp(),
    crew: q.rollup("assignments.workOrderId", { count: true }),
    minutes: q.rollup("visits.workOrderId", { sum: "minutes" }),
    amount: q.rollup("lineItems.workOrderId", { sum: "amount" }),
    /** Where the order stands on the board. */
    stage: q.computed(
      q.text(),
      ({ status, crew, scheduledFor }) =>
        status === "open" ? crew > 0 && scheduledFor != null ? "planned" : "unplanned" : status,
    ).filterable(),
    /** Names the order to its customer, in a link that needs no account. */
    tracking: q.text().required().default({ random: 32 }),
    photos: q.file({ maxSize: 10_000_000, types: ["image/*"], multiple: true, maxItems: 12 }),
  },

  // Dispatchers see all orders of their company, technicians those that they are assigned to.
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    {
      anyOf: [
        { roles: ["dispatcher+"] },
        {
          through: "assignments.workOrderId",
          some: { technician: { accountId: "$ctx.userId" } },
          roles: ["technician"],
        },
        // A customer with a link is nobody of the company: which order it is, `track` asks.
        {
          field: "organizationId",
          equals: "ctx.activeOrgId",
          exceptRoles: ["technician", "dispatcher", "admin", "owner"],
        },
      ],
    },
  ],

  guards: {
    createable: ["siteId", "title", "description", "priority", "status", "scheduledFor"],
    updatable: ["title", "description", "priority", "scheduledFor", "photos"],
    immutable: ["siteId"],
    protected: {
      startedAt: ["start"],
      completedAt: ["complete", "reopen"],
    },
  },

  search: {
    mode: "fullText",
    fields: ["number", "title", "description"],
    weights: { number: 8, title: 4 },
  },

  read: {
    access: { roles: ["technician+"] },
    include: [
      "siteId",
      "assignments.workOrderId",
      "lineItems.workOrderId",
      "visits.workOrderId",
      "documents.workOrderId",
    ],
    views: {
      board: {
        fields: [
          "id",
          "number",
          "title",
          "siteId",
          "stage",
          "status",
          "priority",
          "scheduledFor",
          "crew",
          "amount",
        ],
        query: {
          filterable: ["stage", "status", "priority", "siteId", "scheduledFor"],
          sortable: ["scheduledFor", "number", "amount"],
          searchable: ["number", "title"],
        },
        defaultSort: "scheduledFor",
        aggregations: { orders: { fn: "count" }, worth: { fn: "sum", field: "amount" } },
      },
      // One row for each month and state: what was done when, and for how much.
      months: {
        groupBy: [{ field: "scheduledFor", by: "month" }, "status"],
        access: { roles: ["dispatcher+"] },
        aggregations: { orders: { fn: "count" }, worth: { fn: "sum", field: "amount" } },
      },
    },
  },
  create: { access: { roles: ["dispatcher+"] } },
  update: {
    access: {
      or: [
        { roles: ["dispatcher+"], record: { status: { notEquals: "invoiced" } } },
        { roles: ["technician"], record: { status: "inProgress" } },
      ],
    },
  },
  delete: {
    access: { roles: ["dispatcher+"], record: { status: { in: ["open", "cancelled"] } } },
    restore: { access: { roles: ["dispatcher+"] } },
  },

  transitions: {
    status: {
      open: ["inProgress", "cancelled"],
      inProgress: ["done"],
      done: ["inProgress", "invoiced"],
    },
  },

  // Who is assigned hears of the order, and who is taken off it that it is gone.
  realtime: true,
  audit: { access: { roles: ["dispatcher+"] } },

  displayColumn: "number",
  defaultSort: "-number",
});
