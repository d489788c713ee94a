import { feature, q } from "quickback";
import customers from "../customers/customers.ts";

/** Every row names a customer: answered with its label, and with the customer along on `include`. */
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
