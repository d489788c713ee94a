import { feature, q, round } from "quickback";
import workOrders from "./work-orders.ts";

/** What an order costs: parts and hours. */
export default feature("lineItems", {
  columns: {
    organizationId: q.scope("organization"),
    workOrderId: q.text().required().references(() => workOrders.id, { onDelete: "cascade" }),
    description: q.text({ maxLength: 200 }).required(),
    kind: q.enum(["part", "labor", "travel"]).required().default("part"),
    quantity: q.decimal({ precision: 7, scale: 2, min: "0.01" }).required().default("1.00"),
    price: q.decimal({ precision: 10, scale: 2, min: "0" }).required(),
    /** What the company pays for one. */
    cost: q.decimal({ precision: 10, scale: 2, min: "0" }),
    amount: q.computed(
      q.decimal({ precision: 17, scale: 2 }),
      ({ quantity, price }) => round(quantity * price, 2),
    ),
  },

  // A technician reads the items of the orders assigned to them: where the order is, its items are.
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { through: "workOrder" },
  ],

  guards: {
    createable: ["workOrderId", "description", "kind", "quantity", "price", "cost"],
    updatable: ["description", "kind", "quantity", "price", "cost"],
    immutable: ["workOrderId"],
  },

  masking: { cost: { type: "redact", show: { roles: ["dispatcher+"] } } },

  read: { access: { roles: ["technician+"] } },
  create: {
    access: {
      or: [
        { roles: ["dispatcher+"], record: { workOrder: { status: { notEquals: "invoiced" } } } },
        { roles: ["technician"], record: { workOrder: { status: "inProgress" } } },
      ],
    },
  },
  update: {
    access: {
      or: [
        { roles: ["dispatcher+"], record: { workOrder: { status: { notEquals: "invoiced" } } } },
        { roles: ["technician"], record: { workOrder: { status: "inProgress" } } },
      ],
    },
  },
  delete: {
    mode: "hard",
    access: {
      or: [
        { roles: ["dispatcher+"], record: { workOrder: { status: { notEquals: "invoiced" } } } },
        { roles: ["technician"], record: { workOrder: { status: "inProgress" } } },
      ],
    },
  },

  realtime: true,
  defaultSort: "createdAt",
});
