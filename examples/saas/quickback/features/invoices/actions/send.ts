import { defineAction, emitWebhookEvent } from "quickback";
import { z } from "zod";

/** Seconds. */
const TWO_WEEKS = 14 * 24 * 60 * 60;

export default defineAction({
  description: "Send an invoice to its customer",
  input: z.object({}),
  access: { roles: ["admin+"] },
  transition: {
    field: "status",
    fromTo: { draft: ["sent"] },
    to: "sent",
    stamp: "sentAt",
  },
  execute: async ({ record, ctx, env, jobs }) => {
    const { id, number, amount, currency } = record;
    const { organizationId } = ctx;
    const invoice = { id, number, amount, currency };
    await emitWebhookEvent("invoice.sent", invoice, { organizationId }, env);
    // Queued with the move itself: an invoice that was not sent is not asked for.
    await jobs.remind.enqueue({ invoiceId: id }, { delay: TWO_WEEKS, key: id });
    return { id };
  },
});
