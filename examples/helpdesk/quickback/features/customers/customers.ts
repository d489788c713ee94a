import { feature, q } from "quickback";

/** The people that an organization's agents help. */
export default feature("customers", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text({ maxLength: 120 }).required().searchable(),
    company: q.text({ maxLength: 120 }).searchable(),
    email: q.text({ maxLength: 254 }).required().unique(),
    phone: q.text({ maxLength: 32 }),
    plan: q.enum(["free", "team", "business"]).required().default("free"),
  },

  // Nobody types an organization id: the row is stamped with the caller's, and only ever read through it.
  firewall: [
    { field: "organizationId", equals: "ctx.activeOrgId" },
    { field: "deletedAt", isNull: true },
  ],

  guards: {
    createable: ["name", "company", "email", "phone", "plan"],
    updatable: ["name", "company", "phone", "plan"],
    // Tickets are matched by it: a new address is a new customer.
    immutable: ["email"],
  },

  // Agents recognise an address without seeing it; who may not see it may not filter by it either.
  masking: {
    email: { type: "email", show: { roles: ["admin", "owner"] } },
    phone: { type: "phone", show: { roles: ["admin", "owner"], or: "owner" } },
  },

  read: {
    access: { roles: ["agent+"] },
    views: {
      directory: {
        fields: ["id", "name", "company", "plan"],
        query: { filterable: ["plan"], sortable: ["name", "company"], defaultSort: "name" },
      },
    },
  },
  create: { access: { roles: ["agent+"] } },
  update: { access: { roles: ["agent+"] } },
  // Soft by default: the customer's tickets leave with it, and nothing is lost.
  delete: { access: { roles: ["admin+"] } },

  displayColumn: "name",
  defaultSort: "name",
});
