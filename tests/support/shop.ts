/** Definitions of a shop: customers and their orders, tables with odd batch settings, and records that are put whole. */

const config = (generateId: string) =>
  `export default { name: "shop", providers: { database: { name: "libsql", generateId: ${generateId} } } };\n`;

const feature = (name: string, source: string, imports = "") =>
  `import { feature, q } from "quickback";\n${imports}
export default feature("${name}", {\n${source}\n});\n`;

const EVERY_VERB = (roles = '"admin"') =>
  `read: { access: { roles: [${roles}] } }, create: { access: { roles: [${roles}] } },
  update: { access: { roles: [${roles}] } }, delete: { access: { roles: [${roles}] } },`;

const CUSTOMERS = feature(
  "customers",
  `columns: {
    organizationId: q.scope("organization"),
    name: q.text({ maxLength: 20 }).required(),
    code: q.text().unique(),
    email: q.text().unique(),
    salary: q.int(),
    plan: q.enum(["free", "gold"]).required().default("free"),
    notes: q.text(),
    version: q.revision(),
  },
  guards: { createable: ["name", "code", "email", "salary", "plan"], updatable: ["name", "code", "email", "plan"] },
  masking: {
    email: { type: "email", show: { roles: ["admin"] } },
    salary: { type: "redact", show: { roles: ["admin"] } },
  },
  ${EVERY_VERB('"admin", "clerk"')}`,
);

const ORDERS = feature(
  "orders",
  `columns: {
    organizationId: q.scope("organization"),
    customerId: q.text().references(() => customers.id),
    giftFor: q.text().references(() => customers.id, { onDelete: "set null" }),
    amount: q.int().required(),
    state: q.enum(["open", "paid"]).required().default("open"),
  },
  guards: false,
  read: { access: { roles: ["admin", "clerk"] } },
  create: { access: { or: [{ roles: ["admin"] }, { roles: ["clerk"], record: { state: "open" } }] } },
  update: { access: { or: [{ roles: ["admin"] }, { roles: ["clerk"], record: { state: "open" } }] } },
  delete: { access: { or: [{ roles: ["admin"] }, { roles: ["clerk"], record: { state: "open" } }] } },`,
  'import customers from "../customers/customers.ts";\n',
);

/** Removed for good, hidden from whoever may not see it, and kept by its lines. */
const PARCELS = feature(
  "parcels",
  `columns: { organizationId: q.scope("organization"), label: q.text().required() },
  guards: false,
  firewallErrorMode: "hide",
  read: { access: { roles: ["admin"] } },
  create: { access: { roles: ["admin"] }, batch: { access: { roles: ["importer"] }, maxBatchSize: 2, allowFailFast: false } },
  update: { access: { roles: ["admin"] }, batch: false },
  delete: { access: { roles: ["admin"] }, mode: "hard" },`,
);

const STAMPS = feature(
  "stamps",
  `columns: {
    organizationId: q.scope("organization"),
    parcelId: q.text().references(() => parcels.id, { onDelete: "restrict" }),
  },
  guards: false,
  read: { access: { roles: ["admin"] } },
  create: { access: { roles: ["admin"] }, batch: false },`,
  'import parcels from "../parcels/parcels.ts";\n',
);

export const SHOP: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": config('"prefixed"'),
  "quickback/features/customers/customers.ts": CUSTOMERS,
  "quickback/features/orders/orders.ts": ORDERS,
  "quickback/features/parcels/parcels.ts": PARCELS,
  "quickback/features/stamps/stamps.ts": STAMPS,
};

const PRODUCTS = feature(
  "products",
  `columns: {
    organizationId: q.scope("organization"),
    name: q.text().required(),
    sku: q.text().unique(),
    price: q.int().required().default(5),
    note: q.text(),
    listedAt: q.timestamp().defaultNow(),
    version: q.revision(),
  },
  guards: false,
  masking: { note: { type: "redact", show: { roles: ["admin"] } } },
  ${EVERY_VERB('"admin", "clerk"')}
  upsert: { access: { or: [{ roles: ["admin"] }, { roles: ["clerk"], record: { price: { lessThan: 100 } } }] } },`,
);

const DIARIES = feature(
  "diaries",
  `columns: { organizationId: q.scope("organization"), ownerId: q.scope("owner"), text: q.text().required(),
    productId: q.text().references(() => products.id) },
  guards: false,
  ${EVERY_VERB()}
  upsert: { access: { roles: ["admin"] } },`,
  'import products from "../products/products.ts";\n',
);

/** Records under ids of the client's choice, which PUT needs. */
export const CATALOGUE: Readonly<Record<string, string>> = {
  "quickback/quickback.config.ts": config("false"),
  "quickback/features/products/products.ts": PRODUCTS,
  "quickback/features/diaries/diaries.ts": DIARIES,
};

/** One table whose ids clients may choose, under one strategy. */
export function idsProject(
  generateId: string,
  allowClientIds = true,
): Readonly<Record<string, string>> {
  return {
    "quickback/quickback.config.ts": config(generateId),
    "quickback/features/things/things.ts": feature(
      "things",
      `columns: { organizationId: q.scope("organization"), name: q.text() },
  guards: { createable: ["name"], updatable: ["name"] },
  allowClientIds: ${allowClientIds},
  ${EVERY_VERB()}`,
    ),
  };
}
