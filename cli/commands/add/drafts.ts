/** Texts of the drafts. They are formatted, and closed, because an empty list of roles admits nobody. */

export function tableDraft(table: string, scope: "organization" | "owner"): string {
  return `import { feature, q } from "quickback";

/** Nobody may ask yet: name the roles. */
export default feature("${table}", {
  columns: {
    id: q.id(),
    ${scope === "organization" ? "organizationId" : "ownerId"}: q.scope("${scope}"),
    name: q.text({ maxLength: 200 }).required(),
  },
  guards: { createable: ["name"], updatable: ["name"] },
  read: { access: { roles: [] } },
  create: { access: { roles: [] } },
  update: { access: { roles: [] } },
  delete: { access: { roles: [] } },
});
`;
}

export function actionDraft(): string {
  return `import { defineAction } from "quickback";
import { z } from "zod";

/** Nobody may run it yet: name the roles. */
export default defineAction({
  description: "Says in one line what it does",
  input: z.object({}),
  output: z.object({ ok: z.boolean() }),
  access: { roles: [] },
  execute: () => ({ ok: true }),
});
`;
}

export function providerDraft(provider: string): string {
  return `import { defineWebhookProvider } from "quickback";

/** Takes nothing yet: no signature is good until verifySignature says how ${provider} signs. */
export default defineWebhookProvider({
  name: "${provider}",
  verifySignature: () => false,
  parseEvent: (payload) => {
    const { id, type, data } = JSON.parse(payload);
    return { externalId: id, type, data };
  },
});
`;
}

export function eventsDraft(provider: string): string {
  return `import { onWebhookEvent } from "quickback";

/** An event has no caller: scopeTo says whose rows its work may touch. */
export default onWebhookEvent("${provider}:*", ({ type, data, scopeTo }) => {
  void [type, data, scopeTo];
});
`;
}

export function jobDraft(): string {
  return `import { defineJob, z } from "quickback";

/** Runs in the tenant of whoever queues it; what it does outside of the database may happen twice. */
export default defineJob({
  input: z.object({}),
  async run({ input, db }) {
    await Promise.resolve([input, db]);
  },
});
`;
}
