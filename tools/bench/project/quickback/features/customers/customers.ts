import { feature, q } from "quickback";

/** A resource whose readers see masks. With its orders by `include`. */
export default feature("customers", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    name: q.text({ maxLength: 120 }).required(),
    company: q.text({ maxLength: 120 }),
    email: q.text({ maxLength: 254 }).required(),
    phone: q.text({ maxLength: 32 }),
    plan: q.enum(["free", "team", "business"]).required().default("free"),
  },
  masking: {
    email: { type: "email", show: { roles: ["admin", "owner"] } },
    phone: { type: "phone", show: { roles: ["admin", "owner"], or: "owner" } },
  },
  read: { access: { roles: ["agent+"] }, include: ["orders.customerId"] },
  displayColumn: "name",
  defaultSort: "name",
});
