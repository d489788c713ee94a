/** A project with jobs and schedules: orders, and what is done after them. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const ROLES = '{ roles: ["member", "admin"] }';

/** `files` are added, or stand in the place of those that are here. */
export function jobDesk(files: RawFiles = {}): RawFiles {
  return {
    "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({ name: "desk", webhooks: { outbound: true, inbound: ["standard"] } });
`,
    "quickback/features/orders/orders.ts": `import { feature, q } from "quickback";
export default feature("orders", {
  columns: {
    organizationId: q.scope("organization"),
    ownerId: q.scope("owner"),
    title: q.text().required(),
    mails: q.int().required().default(0),
  },
  guards: { createable: ["title"] },
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
});
`,
    "quickback/features/orders/actions/ship.ts": `import { defineAction } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Ships an order",
  input: z.object({
    how: z.string().default("send"),
    delay: z.number().optional(),
    key: z.string().optional(),
    fails: z.boolean().default(false),
  }),
  access: ${ROLES},
  async execute({ jobs, record, input: { how, delay, key, fails } }) {
    const options = { ...(delay === undefined ? {} : { delay }), ...(key ? { key } : {}) };
    const job = await jobs.sendMail.enqueue({ orderId: record.id, how, token: "t0p" }, options);
    if (fails) throw new Error("No");
    return { job };
  },
});
`,
    "quickback/features/notes/notes.ts": `import { q } from "quickback";
export const notes = q.table("notes", {
  id: q.id(),
  organizationId: q.scope("organization"),
  text: q.text().required(),
});
`,
    "quickback/features/pulses/pulses.ts": `import { q } from "quickback";
export const pulses = q.table("pulses", {
  id: q.id(),
  text: q.text().required(),
}, { exception: true });
`,
    "quickback/jobs/send-mail.ts": `import { defineJob } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { notes } from "../features/notes/notes";
import { orders } from "../features/orders/orders";
import { pulses } from "../features/pulses/pulses";

export default defineJob({
  input: z.object({ orderId: z.string(), how: z.string(), token: z.string() }),
  timeout: 60,
  async run({ input: { orderId, how }, db, ctx, attempt, step, signal, jobs }) {
    const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
    if (how === "flaky" && attempt < 3) throw new Error("Attempt " + attempt);
    if (how === "never") throw new Error("The mail server said no");
    if (how === "steps") {
      const made = await step("first", async ({ db }) => {
        await db.insert(notes).values({ text: "step " + attempt });
        return { attempt };
      });
      if (attempt === 1) throw new Error("After the first step");
      await db.insert(notes).values({ text: "made by " + made.attempt });
    }
    while (how === "wait" && (await db.select().from(pulses)).length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    if (how === "chain") await jobs.sendMail.enqueue({ orderId, how: "send", token: "" });
    if (how === "long") {
      await db.insert(notes).values({ text: "held" });
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return;
    }
    await db.update(orders).set({ mails: (order?.mails ?? 0) + 1 }).where(eq(orders.id, orderId));
    await db.insert(notes).values({
      text: [how, ctx.organizationId, ctx.userId, ctx.system, ctx.roles.length].join(" "),
    });
    if (how === "late") throw new Error("After its writes");
  },
});
`,
    "quickback/jobs/pulse.ts": `import { defineJob } from "quickback";
import { z } from "zod";
import { notes } from "../features/notes/notes";
import { pulses } from "../features/pulses/pulses";

export default defineJob({
  input: z.object({ text: z.string() }),
  async run({ input, db, ctx }) {
    const text = input.text + " " + ctx.organizationId;
    if (ctx.organizationId === null) await db.insert(pulses).values({ text });
    else await db.insert(notes).values({ text });
  },
});
`,
    "quickback/schedules/minutely.ts": `import { defineSchedule } from "quickback";
export default defineSchedule({ cron: "*/5 * * * *", job: "pulse", input: { text: "tick" } });
`,
    "quickback/schedules/each.ts": `import { defineSchedule } from "quickback";
export default defineSchedule({
  cron: "30 6 * * *",
  timeZone: "Europe/Berlin",
  job: "pulse",
  input: { text: "morning" },
  each: "organization",
});
`,
    "quickback/services/hooks.ts": `import { onWebhookEvent } from "quickback";
onWebhookEvent<{ organizationId?: string }>("standard:*", async ({ data, jobs }) => {
  const { organizationId } = data;
  await jobs.pulse.enqueue({ text: "hook" }, organizationId ? { organizationId } : {});
});
`,
    ...files,
  };
}
