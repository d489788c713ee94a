/** A project with code outside of features: a service, emitted events, a provider of its own, a middleware. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

const ROLES = '{ roles: ["member", "admin"] }';

/** `files` are added, or stand in the place of those that are here. */
export function serviceDesk(files: RawFiles = {}): RawFiles {
  return {
    "quickback/quickback.config.ts": `import { defineConfig } from "quickback";
export default defineConfig({
  name: "desk",
  webhooks: { outbound: true, inbound: ["forge"] },
});
`,
    "quickback/features/tickets/tickets.ts": `import { feature, q } from "quickback";
export default feature("tickets", {
  columns: {
    organizationId: q.scope("organization"),
    title: q.text().required(),
    status: q.enum(["open", "closed"]).required().default("open"),
  },
  guards: { createable: ["title"] },
  read: { access: ${ROLES} },
  create: { access: ${ROLES} },
});
`,
    "quickback/features/tickets/actions/close.ts":
      `import { defineAction, emitWebhookEvent } from "quickback";
import { eq } from "drizzle-orm";
import { z } from "zod";
import { tickets } from "../tickets";

export default defineAction({
  description: "Closes a ticket",
  input: z.object({ fails: z.boolean().default(false) }),
  access: ${ROLES},
  async execute({ db, record, ctx, env, input, services }) {
    await db.update(tickets).set({ status: "closed" }).where(eq(tickets.id, record.id));
    const open = await services.ticketCounts.open();
    await emitWebhookEvent("ticket.closed", { id: record.id, open }, ctx, env);
    if (input.fails) throw new Error("No");
    return { open, isOne: services.ticketCounts === services.ticketCounts };
  },
});
`,
    "quickback/features/tickets/actions/tell.ts":
      `import { defineAction, emitWebhookEvent } from "quickback";
import { z } from "zod";

export default defineAction({
  description: "Emits to whatever scope the caller names",
  path: "./tell",
  input: z.object({
    organizationId: z.string().optional(),
    userId: z.string().optional(),
    isAwaited: z.boolean().default(true),
    env: z.enum(["given", "spread", "foreign"]).default("given"),
  }),
  access: ${ROLES},
  async execute({ env, input: { organizationId, userId, isAwaited, env: kind } }) {
    const envs = { given: env, spread: { ...env, MORE: "1" }, foreign: {} };
    const emitted = emitWebhookEvent("desk.told", null, { organizationId, userId }, envs[kind]);
    if (isAwaited) await emitted;
    return { told: true };
  },
});
`,
    "quickback/services/ticket-counts.ts": `import { defineService } from "quickback";
import { eq } from "drizzle-orm";
import tickets from "../features/tickets/tickets";
import { sizeOf } from "../lib/size";

export default defineService(({ db, env }) => ({
  greeting: env["GREETING"],
  async open(): Promise<number> {
    return sizeOf(await db.select().from(tickets).where(eq(tickets.status, "open")));
  },
}));
`,
    "quickback/lib/size.ts": `export function sizeOf(rows: readonly unknown[]): number {
  return rows.length;
}
`,
    "quickback/services/forge.ts": `import { defineWebhookProvider } from "quickback";

export default defineWebhookProvider({
  name: "forge",
  signatureHeader: "x-forge-signature",
  verifySignature: (payload, signature, secret) => signature === \`\${secret}:\${payload.length}\`,
  parseEvent(payload) {
    const { kind, id, ...data } = JSON.parse(payload);
    return { type: kind, data, externalId: id };
  },
});
`,
    "quickback/services/forge-events.ts":
      `import { emitWebhookEvent, onWebhookEvent } from "quickback";
import { tickets } from "../features/tickets/schema";

onWebhookEvent("forge:opened", async ({ data, scopeTo }) => {
  const organizationId = String(data["organization"]);
  await scopeTo({ organizationId }, async ({ db, services, env }) => {
    await db.insert(tickets).values({ title: String(data["title"]) });
    const open = await services.ticketCounts.open();
    await emitWebhookEvent("ticket.opened", { open }, { organizationId }, env);
    if (data["fails"] === true) throw new Error("The desk is closed");
  });
});

const tellAll = onWebhookEvent("forge:*", async ({ type, env }) => {
  await emitWebhookEvent("forge.seen", { type }, { organizationId: "org_a" }, env);
});
void tellAll;
`,
    ...files,
  };
}
