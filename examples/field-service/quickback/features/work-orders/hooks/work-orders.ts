import { defineHooks } from "quickback";
import { eq } from "drizzle-orm";
import { assignments, workOrders } from "../schema";

export default defineHooks(workOrders, {
  /** An order from the paper book may be under way already. */
  beforeCreate: ({ changes }) => {
    const now = new Date();
    if (changes.status === "inProgress") return { startedAt: now };
    if (changes.status === "done") return { startedAt: now, completedAt: now };
  },

  /** Nobody goes to an order that was called off. */
  async afterUpdate({ db, record, previous }) {
    if (record.status !== "cancelled" || previous.status === "cancelled") return;
    const crew = await db.select().from(assignments)
      .where(eq(assignments.workOrderId, record.id));
    for (const { id } of crew) await db.records.delete(assignments, id);
  },
});
