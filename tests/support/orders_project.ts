/** Orders of an organization, by number: for tests of what happens once. */

export const ORDERS_CLERK = { sub: "user_1", orgId: "org_1", roles: ["clerk"] };

export const ORDER_FILES = {
  "quickback/quickback.config.ts":
    'export default { name: "orders", rateLimit: false, contract: { changeset: true } };\n',
  "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    number: q.int().required(),
    phone: q.text(),
    revision: q.revision(),
  },
  guards: { createable: ["number", "phone"], updatable: ["number", "phone"] },
  masking: { phone: { type: "phone", show: { roles: ["boss"] } } },
  read: { access: { roles: ["clerk", "boss", "reader"] } },
  create: { access: { roles: ["clerk", "boss"] } },
  update: { access: { roles: ["clerk", "boss"] } },
  delete: { access: { roles: ["clerk", "boss"] } },
});
`,
  "quickback/features/wishes/wishes.ts": `import { feature, q } from "quickback";
export default feature("wishes", {
  columns: { id: q.id(), organizationId: q.scope("organization"), text: q.text().required() },
  guards: false,
  read: { access: { roles: ["PUBLIC"] } },
  create: { access: { roles: ["PUBLIC"] } },
});
`,
};
