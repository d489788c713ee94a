import { feature, q } from "quickback";
import technicians from "../technicians/technicians.ts";
import workOrders from "./work-orders.ts";

/** The time that somebody spent on an order. */
export default feature("visits", {
  columns: {
    organizationId: q.scope("organization"),
    workOrderId: q.text().required().references(() => workOrders.id, { onDelete: "cascade" }),
    technicianId: q.text().required().references(() => technicians.id),
    day: q.date().required().default("now"),
    minutes: q.int({ min: 1, max: 1440 }).required(),
    report: q.text({ maxLength: 4000 }),
  },

  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "workOrder" },
  ],

  guards: {
    createable: ["workOrderId", "technicianId", "day", "minutes", "report"],
    updatable: ["day", "minutes", "report"],
    immutable: ["workOrderId", "technicianId"],
  },

  read: {
    access: { roles: ["technician+"] },
    include: ["technicianId"],
    views: {
      hours: {
        groupBy: ["technicianId", { field: "day", by: "month" }],
        aggregations: { visits: { fn: "count" }, minutes: { fn: "sum", field: "minutes" } },
      },
    },
  },
  // Technicians report their own visits, to orders that are under way.
  create: {
    access: {
      or: [
        { roles: ["dispatcher+"] },
        {
          roles: ["technician"],
          record: {
            technician: { accountId: "$ctx.userId" },
            workOrder: { status: "inProgress" },
          },
        },
      ],
    },
  },
  update: {
    access: {
      or: [
        { roles: ["dispatcher+"] },
        {
          roles: ["technician"],
          record: {
            technician: { accountId: "$ctx.userId" },
            workOrder: { status: "inProgress" },
          },
        },
      ],
    },
  },
  delete: { access: { roles: ["dispatcher+"] } },

  realtime: true,
  defaultSort: "-day",
});
