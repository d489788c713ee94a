import { defineAction, emitWebhookEvent } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Complete a task and tell the organization's endpoints",
  input: z.object({}),
  access: { roles: ["member+"] },
  transition: {
    field: "status",
    fromTo: { todo: ["done"], doing: ["done"] },
    to: "done",
    stamp: "completedAt",
  },
  // Emitted in the action's own transaction: the move and the event stay or go together.
  execute: async ({ record, ctx, env }) => {
    const { organizationId } = ctx;
    await emitWebhookEvent("task.completed", { id: record.id }, { organizationId }, env);
    return { id: record.id };
  },
});
