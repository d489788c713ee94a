/** Orders that anybody follows by a random text, in whichever organization they are (definitions 5, `tenantOf`). */
export const ORDERS_FILE = "quickback/features/shop/orders.ts";
export const ACTIONS_FILE = "quickback/features/shop/actions.ts";
export const RECORD_FILE = "quickback/features/shop/actions/orders/count.ts";
export const CONFIG_FILE = "quickback/quickback.config.ts";

export const TRACK: Readonly<Record<string, string>> = {
  [CONFIG_FILE]: `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({
  name: "track", contract: { changeset: true }, agents: { mcp: true },
  providers: { database: defineDatabase("libsql", { generateId: "uuid" }) },
});
`,
  [ORDERS_FILE]: `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"), title: q.text().required(),
    code: q.text().default({ random: 22 }), short: q.text().default({ random: 16 }),
    note: q.text(),
  },
  guards: { createable: ["title"], updatable: ["note"] },
  audit: { access: { roles: ["member"] } },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] } },
});
`,
  "quickback/features/shop/shops.ts": `import { feature, q } from "quickback";
export default feature("shops", {
  columns: { name: q.text(), code: q.text().default({ random: 22 }) },
  firewall: { exception: true },
  read: { access: { roles: ["PUBLIC"] } },
});
`,
  [RECORD_FILE]: `import { defineAction } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Count orders", path: "./all", input: z.object({ code: z.string() }),
  access: { roles: ["PUBLIC"] }, tenantOf: { table: "orders", column: "code", input: "code" },
  execute: async ({ db }) => ({ all: (await db.query.orders.findMany()).length }),
});
`,
  [ACTIONS_FILE]: `import { defineActions } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { orders } from "./orders";

export default defineActions(null, {
  follow: {
    description: "Follow an order", path: "/follow/:code", method: "GET",
    input: z.object({ code: z.string() }), access: { roles: ["PUBLIC"] },
    tenantOf: { table: "orders", column: "code", input: "code" },
    execute: async ({ db, ctx, input }) => ({
      ctx, titles: (await db.select({ title: orders.title }).from(orders)).map(({ title }) => title),
      elsewhere: await db.select({ id: orders.id }).from(orders)
        .where(eq(orders.organizationId, "org_b")),
      code: input.code,
    }),
  },
  add: {
    description: "Add an order beside one", path: "/follow",
    input: z.object({ code: z.string(), title: z.string() }), access: { roles: ["PUBLIC"] },
    tenantOf: { table: "orders", column: "code", input: "code" },
    execute: async ({ db, input }) => {
      const [made] = await db.insert(orders).values({ title: input.title }).returning();
      return { id: made?.id };
    },
  },
});
`,
};
