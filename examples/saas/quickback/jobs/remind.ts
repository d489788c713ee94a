import { defineJob, emitWebhookEvent } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { invoices } from "../features/invoices/schema";

/** Two weeks after an invoice was sent: the organization's endpoints hear of it when nobody has paid. */
export default defineJob({
  input: z.object({ invoiceId: z.string() }),
  async run({ input, db, ctx, env }) {
    const [invoice] = await db.select().from(invoices).where(eq(invoices.id, input.invoiceId));
    if (invoice?.status !== "sent") return;
    const { id, number, amount, currency } = invoice;
    const { organizationId } = ctx;
    const due = { id, number, amount, currency };
    // In the job's own transaction: a run that fails has told nobody.
    await emitWebhookEvent("invoice.overdue", due, { organizationId }, env);
  },
});
