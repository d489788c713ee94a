/** The project that the walks ask: every way to sign in, every credential, and a table for each kind of right. */
import type { RawFiles } from "../../shared/compiler/mod.ts";

/** Of the provider that stands in for a real one; its address is known when it has started. */
export const PROVIDER = "house";

const CONFIG = `export default {
  name: "walks",
  providers: {
    auth: {
      name: "better-auth",
      config: {
        emailAndPassword: true,
        magicLink: true,
        emailCode: true,
        twoFactor: true,
        impersonation: true,
        oidc: [{ id: "${PROVIDER}", issuer: "http://127.0.0.1:9/realms/desk" }],
        rateLimit: false,
      },
    },
  },
  auth: { roles: ["member", "agent"] },
  agents: { oauth: true },
  email: { provider: "smtp", from: "desk@example.com" },
  rateLimit: false,
  realtime: { enabled: true, push: true },
  webhooks: { outbound: true },
};
`;

const SIGNED_IN = '{ roles: ["AUTHENTICATED"] }';

/** Of one account, whatever organization it acts in. */
const NOTES = `import { feature, q } from "quickback";
export default feature("notes", {
  columns: { id: q.id(), ownerId: q.scope("owner"), title: q.text().required() },
  guards: { createable: ["title"] },
  read: { access: ${SIGNED_IN} },
  create: { access: ${SIGNED_IN} },
});
`;

const MEMBERS = '{ roles: ["owner", "admin", "member", "agent"] }';

/** Of one organization, told to whoever listens. */
const PAPERS = `import { feature, q } from "quickback";
export default feature("papers", {
  columns: { id: q.id(), organizationId: q.scope("organization"), title: q.text().required() },
  guards: { createable: ["title"] },
  read: { access: { roles: ["owner", "admin", "member", "agent", "SCOPED"] } },
  create: { access: ${MEMBERS} },
  realtime: true,
});
`;

/** Tells the caller's browsers, and every endpoint that hears of the caller or of the caller's organization. */
const ANNOUNCE = `import { defineAction, emitWebhookEvent, sendPush } from "quickback";
import { z } from "zod";
export default defineAction({
  description: "Announces a note",
  path: "./announce",
  input: z.object({ title: z.string() }),
  access: ${SIGNED_IN},
  async execute({ ctx, env, input: { title } }) {
    await sendPush({ title }, { userIds: [ctx.userId] }, env);
    const scope = ctx.organizationId
      ? { organizationId: ctx.organizationId, userId: ctx.userId }
      : { userId: ctx.userId };
    await emitWebhookEvent("note.announced", { title }, scope, env);
    return { announced: true };
  },
});
`;

/** Of the platform: whoever reads it has its role. */
const LEDGERS = `import { feature, q } from "quickback";
export default feature("ledgers", {
  columns: { id: q.id(), title: q.text().required() },
  firewall: { exception: true },
  read: { access: { roles: ["sysadmin"] } },
});
`;

export const WALKED_PROJECT: RawFiles = {
  "quickback/quickback.config.ts": CONFIG,
  "quickback/features/notes/notes.ts": NOTES,
  "quickback/features/notes/actions/announce.ts": ANNOUNCE,
  "quickback/features/papers/papers.ts": PAPERS,
  "quickback/features/ledgers/ledgers.ts": LEDGERS,
};
