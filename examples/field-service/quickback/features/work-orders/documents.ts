import { feature, q } from "quickback";
import workOrders from "./work-orders.ts";

/** Papers of an order: plans, protocols, what the customer has signed. */
export default feature("documents", {
  columns: {
    organizationId: q.scope("organization"),
    workOrderId: q.text().required().references(() => workOrders.id, { onDelete: "cascade" }),
    title: q.text({ maxLength: 200 }).required(),
    kind: q.enum(["plan", "protocol", "signature", "other"]).required().default("other"),
    file: q.file({ maxSize: 20_000_000, types: ["application/pdf", "image/*", "text/plain"] }),
  },

  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "workOrder" },
  ],

  guards: {
    createable: ["workOrderId", "title", "kind"],
    updatable: ["title", "kind", "file"],
    immutable: ["workOrderId"],
  },

  read: { access: { roles: ["technician+"] } },
  create: { access: { roles: ["technician+"] } },
  update: {
    access: {
      or: [
        { roles: ["dispatcher+"] },
        { roles: ["technician"], record: { createdBy: "$ctx.userId" } },
      ],
    },
  },
  delete: { access: { roles: ["dispatcher+"] } },

  realtime: true,
  displayColumn: "title",
  defaultSort: "-createdAt",
});
