/**
 * The default push schema (definitions 7): a definition like any author's, so that isolation, guards, routes, descriptions and
 * migrations come from where they always come from. What it asks beyond them is keyed by `builtIn` of its resource.
 */
import type { RawFiles } from "../host.ts";

const PUSH_SUBSCRIPTIONS_PATH = "quickback/features/push-subscriptions/push-subscriptions.ts";

const DEFINITION = `import { feature, q } from "quickback";

export default feature("pushSubscriptions", {
  columns: {
    id: q.id(),
    ownerId: q.scope("owner"),
    endpoint: q.url({ maxLength: 2048 }).required(),
    p256dh: q.text({ maxLength: 255 }).required(),
    auth: q.text({ maxLength: 255 }).required(),
  },
  guards: { createable: ["endpoint", "p256dh", "auth"] },
  masking: { auth: { type: "redact", show: { or: "owner" } } },
  read: { access: { roles: ["AUTHENTICATED"] } },
  create: { access: { roles: ["AUTHENTICATED"] }, batch: false },
  delete: { access: { roles: ["AUTHENTICATED"] }, mode: "hard" },
  rateLimit: { create: { limit: 10, period: 60 } },
});
`;

export const PUSH_SUBSCRIPTIONS: RawFiles = { [PUSH_SUBSCRIPTIONS_PATH]: DEFINITION };
