import { defineAction, emitWebhookEvent } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Record the payment of an invoice",
  input: z.object({}),
  access: { roles: ["admin+"] },
  transition: {
    field: "status",
    fromTo: { sent: ["paid"] },
    to: "paid",
    stamp: "paidAt",
  },
  execute: async ({ record, ctx, env }) => {
    const { id, number, amount, currency } = record;
    const { organizationId } = ctx;
    const invoice = { id, number, amount, currency };
    await emitWebhookEvent("invoice.paid", invoice, { organizationId }, env);
    return { id };
  },
});
