import { feature, q } from "quickback";
import customers from "./customers.ts";

/** Where there is something to do. */
export default feature("sites", {
  columns: {
    organizationId: q.scope("organization"),
    customerId: q.text().required().references(() => customers.id),
    name: q.text({ maxLength: 120 }).required().searchable(),
    address: q.text({ maxLength: 300 }).required().searchable(),
    /** Opens the key safe. */
    accessCode: q.text({ maxLength: 20 }),
    openOrders: q.rollup("workOrders.siteId", { count: true }, {
      where: { status: { in: ["open", "inProgress"] } },
    }),
    revenue: q.rollup("workOrders.siteId", { sum: "amount" }, { where: { status: "invoiced" } }),
  },

  // Technicians see the sites of their orders.
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    {
      anyOf: [
        { roles: ["dispatcher+"] },
        {
          through: "workOrders.siteId",
          some: { assignments: { some: { technician: { accountId: "$ctx.userId" } } } },
          roles: ["technician"],
        },
      ],
    },
  ],

  guards: {
    createable: ["customerId", "name", "address", "accessCode"],
    updatable: ["name", "address", "accessCode"],
    immutable: ["customerId"],
  },

  masking: {
    // The code is for whoever has something to do there now.
    accessCode: {
      type: "redact",
      show: {
        roles: ["dispatcher+"],
        anyOf: [{
          roles: ["technician"],
          record: {
            workOrders: {
              some: {
                status: { in: ["open", "inProgress"] },
                assignments: { some: { technician: { accountId: "$ctx.userId" } } },
              },
            },
          },
        }],
      },
    },
    // Counted over the orders of all: what a technician does not see is not told as a number.
    openOrders: { type: "redact", show: { roles: ["dispatcher+"] } },
    revenue: { type: "redact", show: { roles: ["dispatcher+"] } },
  },

  read: { access: { roles: ["technician+"] }, include: ["customerId"] },
  create: { access: { roles: ["dispatcher+"] } },
  update: { access: { roles: ["dispatcher+"] } },
  delete: {
    access: { roles: ["admin+"] },
    children: "refuse",
    restore: { access: { roles: ["admin+"] } },
  },

  defaultSort: "name",
});
