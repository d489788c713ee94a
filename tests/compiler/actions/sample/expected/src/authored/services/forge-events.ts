import { emitWebhookEvent, onWebhookEvent } from "quickback";
import { notes } from "../features/jobs/schema.ts";

export const webhookEvent1 = onWebhookEvent("forge:seen", async ({ data, scopeTo }) => {
  const organizationId = String(data["organization"]);
  await scopeTo({ organizationId }, async ({ db, services, env }) => {
    await db.insert(notes).values({ jobId: String(data["job"]), body: services.jobCounts.greeting });
    await emitWebhookEvent("job.seen", { count: await services.jobCounts.all() }, { organizationId }, env);
  });
});

const webhookEvent2 = onWebhookEvent<{ readonly id: string }>("forge:*", ({ data }) => data.id);
export default webhookEvent2;

export { webhookEvent2 as webhookEvent2_ };
