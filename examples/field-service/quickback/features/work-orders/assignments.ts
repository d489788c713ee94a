import { feature, q } from "quickback";
import technicians from "../technicians/technicians.ts";
import workOrders from "./work-orders.ts";

/** Who works on an order: this row alone gives a technician the order and all that belongs to it. */
export default feature("assignments", {
  columns: {
    organizationId: q.scope("organization"),
    workOrderId: q.text().required().references(() => workOrders.id, { onDelete: "cascade" }),
    technicianId: q.text().required().references(() => technicians.id, { onDelete: "cascade" }),
    isLead: q.bool().required().default(false),
  },

  // Technicians see who else is on their orders.
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "workOrder" },
  ],

  guards: {
    createable: ["workOrderId", "technicianId", "isLead"],
    updatable: ["isLead"],
    immutable: ["workOrderId", "technicianId"],
  },

  read: { access: { roles: ["technician+"] }, include: ["technicianId"] },
  create: { access: { roles: ["dispatcher+"] } },
  update: { access: { roles: ["dispatcher+"] } },
  delete: { mode: "hard", access: { roles: ["dispatcher+"] } },

  unique: [{ columns: ["workOrderId", "technicianId"] }],
  defaultSort: "createdAt",
});
