import { defineAction, emitWebhookEvent } from "quickback";
import { z } from "zod";

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
  execute: async ({ record, ctx, env }) => {
    const { id, number, amount, currency } = record;
    const { organizationId } = ctx;
    const invoice = { id, number, amount, currency };
    await emitWebhookEvent("invoice.sent", invoice, { organizationId }, env);
    return { id };
  },
});
