import { feature, q } from "quickback";

/** Whom the company works for. */
export default feature("customers", {
  columns: {
    organizationId: q.scope("organization"),
    name: q.text({ maxLength: 120 }).required().searchable(),
    contact: q.text({ maxLength: 120 }).searchable(),
    email: q.email(),
    phone: q.text({ maxLength: 32 }),
    // Totals of totals: of the sites, which have theirs of their orders, which have theirs of their items.
    openOrders: q.rollup("sites.customerId", { sum: "openOrders" }),
    revenue: q.rollup("sites.customerId", { sum: "revenue" }),
  },

  guards: {
    createable: ["name", "contact", "email", "phone"],
    updatable: ["name", "contact", "email", "phone"],
  },

  masking: {
    email: { type: "email", show: { roles: ["dispatcher+"] } },
    phone: { type: "phone", show: { roles: ["dispatcher+"] } },
  },

  read: {
    access: { roles: ["dispatcher+"] },
    views: {
      // All that technicians have of customers: whom to ask for.
      directory: {
        fields: ["id", "name", "contact"],
        access: { roles: ["technician+"] },
        defaultSort: "name",
      },
    },
  },
  create: { access: { roles: ["dispatcher+"] } },
  update: { access: { roles: ["dispatcher+"] } },
  // Whoever has sites stays.
  delete: {
    access: { roles: ["admin+"] },
    children: "refuse",
    restore: { access: { roles: ["admin+"] } },
  },

  defaultSort: "name",
});
