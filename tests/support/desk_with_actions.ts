/** A tenant's jobs and customers, with one action for each thing that actions can do. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const JOBS = "quickback/features/jobs";

const action = (body: string) =>
  `import { ActionError, defineAction } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { jobs } from "../schema";

export default defineAction({
  description: "Do it",
  ${body}
});
void [ActionError, eq, jobs];
`;

const MEMBER = 'access: { roles: ["member"] },';

export const DESK: RawFiles = {
  "quickback/quickback.config.ts": 'export default { name: "desk" };\n',
  [`${JOBS}/jobs.ts`]: `import { feature, q } from "quickback";
export default feature("jobs", {
  columns: {
    id: q.id(),
    organizationId: q.scope("organization"),
    title: q.text().required(),
    status: q.enum(["draft", "open", "done"]).required().default("draft"),
    email: q.text(),
    urgent: q.bool(),
    openedAt: q.timestamp(),
  },
  guards: { createable: ["title", "email", "urgent"], updatable: ["title"], protected: { status: ["open"] } },
  masking: { email: { type: "email", show: { roles: ["admin"] } } },
  read: { access: { roles: ["member"] } },
  create: { access: { roles: ["member"] } },
  update: { access: { roles: ["member"] } },
  delete: { access: { roles: ["member"] }, action: "retire" },
});
`,
  [`${JOBS}/actions/open.ts`]: action(`input: z.object({}), ${MEMBER}
  transition: { field: "status", fromTo: { draft: ["open"] }, to: "open", stamp: "openedAt" },`),
  [`${JOBS}/actions/reset.ts`]: action(`input: z.object({}), ${MEMBER}
  transition: { field: "status", fromTo: { open: ["draft"] }, to: "draft", clears: ["openedAt"], idempotent: "noop",
    onIllegal: { code: "CANNOT_RESET", status: 422, message: "Too late" } },`),
  [`${JOBS}/actions/finish.ts`]: action(`input: z.object({ note: z.string().max(20) }),
  access: { roles: ["member"], record: { status: { equals: "open" } } },
  transition: { field: "status", fromTo: { open: ["done"] }, to: "done" },
  execute: async ({ db, record, input, whereTransition, auditFields }) => {
    await db.update(jobs).set({ status: "done", title: input.note, ...auditFields }).where(whereTransition(jobs));
    return { id: record.id, deep: [{ contact: { email: record.email }, again: record.email }], urgent: record.urgent };
  },`),
  [`${JOBS}/actions/fail.ts`]: action(
    `input: z.object({ how: z.enum(["own", "crash", "answer", "nothing"]) }), ${MEMBER}
  execute: async ({ db, record, input }) => {
    await db.update(jobs).set({ title: "changed" }).where(eq(jobs.id, record.id));
    if (input.how === "own") throw new ActionError("No", "NOT_NOW", 418, { why: "because" });
    if (input.how === "crash") throw new RangeError("secret");
    if (input.how === "answer") return new Response("ignored", { status: 500 });
  },`,
  ),
  [`${JOBS}/actions/link.ts`]: action(`input: z.object({ otherId: z.string() }), ${MEMBER}
  refs: { otherId: "jobs" },
  execute: ({ refs }) => ({ other: refs.otherId.title }),`),
  [`${JOBS}/actions/retire.ts`]: action(`input: z.object({ reason: z.string() }), ${MEMBER}
  execute: async ({ db, record, input }) => {
    await db.delete(jobs).where(eq(jobs.id, record.id));
    return { retired: record.id, reason: input.reason };
  },`),
  [`${JOBS}/actions/search.ts`]: action(
    `path: "./search", method: "GET", input: z.object({ limit: z.number().int().max(5), urgent: z.boolean().optional() }), ${MEMBER}
  execute: async ({ db, input, ctx, env, c }) => {
    const rows = await db.select({ id: jobs.id, organizationId: jobs.organizationId }).from(jobs).limit(input.limit);
    return { rows, urgent: input.urgent ?? null, user: ctx.userId, env: env.GREETING, key: c.req.header("authorization") ?? null };
  },`,
  ),
  [`${JOBS}/actions/tick.ts`]: action(
    `path: "/ticks/:name", method: "GET", responseType: "stream", input: z.object({}), ${MEMBER}
  execute: ({ c }) => new Response("data: " + c.req.param("name") + "\\n\\n").body,`,
  ),
  [`${JOBS}/actions/count-all.ts`]: action(
    `path: "/count-all", input: z.object({ fail: z.boolean().optional() }),
  access: { roles: ["AUTHENTICATED"] },
  unsafe: { reason: "Monthly report", crossTenant: true },
  execute: async ({ unsafeDb, input }) => {
    const rows = await unsafeDb.select({ id: jobs.id }).from(jobs);
    await unsafeDb.update(jobs).set({ title: "counted" });
    if (input.fail) throw new TypeError("hidden");
    return { count: rows.length };
  },`,
  ),
};
