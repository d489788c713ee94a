import { defineJob, emitWebhookEvent } from "quickback";
import { inArray } from "drizzle-orm";
import { z } from "zod";
import { tasks } from "../features/tasks/schema";

/** Tells an organization's endpoints how many tasks are still open. */
export default defineJob({
  input: z.object({ states: z.array(z.enum(["todo", "doing"])) }),
  async run({ input: { states }, db, ctx, env }) {
    const open = await db.select().from(tasks).where(inArray(tasks.status, states));
    if (open.length === 0) return;
    const urgent = open.filter(({ priority }) => priority === "high").length;
    const { organizationId } = ctx;
    await emitWebhookEvent("tasks.open", { tasks: open.length, urgent }, { organizationId }, env);
  },
});
