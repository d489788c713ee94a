import { feature, q } from "quickback";
import customers from "../customers/customers.ts";

/** A resource whose rows have a label, and the customer by `include`. */
export default feature("orders", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    customerId: q.text().required().references(() => customers.id),
    number: q.int().required(),
    note: q.text({ maxLength: 500 }),
  },
  read: { access: { roles: ["agent+"] }, include: ["customerId"] },
  defaultSort: "-createdAt",
});
