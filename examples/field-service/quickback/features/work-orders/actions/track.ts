import { defineAction, z } from "quickback";
import { eq } from "drizzle-orm";
import { workOrders } from "../schema";

export default defineAction({
  description: "See how far an order is, by the link that its customer has",
  path: "./track/:tracking",
  method: "GET",
  input: z.object({ tracking: z.string() }),
  access: { roles: ["PUBLIC"] },
  tenantOf: { table: "workOrders", column: "tracking", input: "tracking" },
  execute: async ({ db, input }) => {
    const [order] = await db.select().from(workOrders)
      .where(eq(workOrders.tracking, input.tracking));
    if (order === undefined) return {};
    const { number, title, stage, scheduledFor, completedAt } = order;
    return { number, title, stage, scheduledFor, completedAt };
  },
});
