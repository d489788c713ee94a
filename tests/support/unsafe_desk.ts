/** A project whose jobs look past the rows of whoever queued them: papers, and what is counted of them. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const ROLES = '{ roles: ["member", "admin", "sysadmin"] }';

/** `config`: further members of the configuration. */
export function unsafeDesk(config = ""): RawFiles {
  return {
    "quickback/quickback.config.ts": `import { defineConfig, defineDatabase } from "quickback";
export default defineConfig({ name: "desk", webhooks: { inbound: ["standard"] }, ${config} });
`,
    "quickback/features/papers/papers.ts": `import { feature, q } from "quickback";
export default feature("papers", {
  columns: {
    organizationId: q.scope("organization"), ownerId: q.scope("owner"), title: q.text().required(),
  },
  guards: { createable: ["title"] },
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
  delete: { access: ${ROLES}, mode: "soft" },
});
`,
    "quickback/features/counts/counts.ts": `import { feature, q } from "quickback";
export default feature("counts", {
  columns: { text: q.text().required() },
  firewall: { exception: true },
  read: { access: ${ROLES} },
});
`,
    "quickback/features/papers/actions/tally.ts": tallyAction("papers"),
    "quickback/features/counts/actions/tally.ts": tallyAction("counts"),
    "quickback/jobs/sweep.ts": `import { defineJob, z } from "quickback";
import papers from "../features/papers/papers";
export default defineJob({
  input: z.object({ how: z.string() }),
  unsafe: { reason: "Deleted papers are counted, too" },
  async run({ input: { how }, db, unsafeDb }) {
    const rows = await unsafeDb.select().from(papers);
    const live = await db.select().from(papers);
    await db.update(papers).set({ title: live.length + " of " + rows.length });
    if (how === "foreign") await unsafeDb.scopeTo({ organizationId: "org_b" }).select().from(papers);
  },
});
`,
    "quickback/jobs/census.ts": `import { defineJob, z } from "quickback";
import papers from "../features/papers/papers";
import counts from "../features/counts/counts";
export default defineJob({
  input: z.object({ how: z.string().default("count") }),
  unsafe: { reason: "Counts the papers of everybody", crossTenant: true },
  async run({ input: { how }, db, unsafeDb, ctx, step, jobs }) {
    const seen = [];
    if (how === "count") seen.push((await unsafeDb.select().from(papers)).length);
    if (how === "scoped") {
      seen.push((await unsafeDb.scopeTo({ organizationId: "org_b" }).select().from(papers)).length);
    }
    if (how === "each") {
      for await (const one of unsafeDb.eachOrganization()) {
        seen.push((await one.select().from(papers)).length);
      }
    }
    if (how === "again") await jobs.census.enqueue({});
    if (how === "stumble") {
      await step("first", async ({ unsafeDb }) => {
        await unsafeDb.scopeTo({ organizationId: "org_b" }).update(papers).set({ title: "seen" });
        throw new Error("No");
      }).catch(() => {});
    }
    if (how === "crash") {
      await step("first", async ({ unsafeDb }) => {
        await unsafeDb.scopeTo({ organizationId: "org_b" }).update(papers).set({ title: "seen" });
        return 1;
      });
      await unsafeDb.scopeTo({ organizationId: "org_a" }).update(papers).set({ title: "seen" });
      throw new Error("No");
    }
    await db.insert(counts).values({ text: [how, ...seen, ctx.organizationId].join(" ") });
  },
});
`,
    "quickback/schedules/yearly.ts": `import { defineSchedule } from "quickback";
export default defineSchedule({ cron: "*/5 * * * *", job: "census" });
`,
    "quickback/services/hooks.ts": `import { onWebhookEvent } from "quickback";
onWebhookEvent("standard:*", async ({ jobs }) => void await jobs.census.enqueue({}));
`,
  };
}

function tallyAction(of: string): string {
  return `import { defineAction, z } from "quickback";
export default defineAction({
  description: "Queues a job",
  path: "/${of}/tally",
  input: z.object({ job: z.enum(["sweep", "census"]), how: z.string().default("count") }),
  access: { roles: ["AUTHENTICATED"] },
  async execute({ jobs, input: { job, how } }) {
    return { job: await jobs[job].enqueue({ how }) };
  },
});
`;
}
