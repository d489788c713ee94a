/**
 * Defines the built-in tables (definitions 7, "default push schema"). Each is a definition like an author's, so isolation,
 * guards, routes, descriptions and migrations are derived as usual. `builtIn` of their resources selects further behaviour.
 */
import { PUSH_SUBSCRIPTIONS } from "../../model/mod.ts";
import type { RawFiles } from "../host.ts";
import type { BuiltInTable } from "../phases/4-analyze/tables/built_in.ts";

const PUSH_SUBSCRIPTIONS_DEFINITION = `import { feature, q } from "quickback";

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

interface BuiltInFiles extends Omit<BuiltInTable, "definitions"> {
  readonly files: RawFiles;
}

export const BUILT_IN_TABLES: readonly BuiltInFiles[] = [{
  name: PUSH_SUBSCRIPTIONS,
  isWanted: ({ realtime }) => realtime.push,
  files: {
    "quickback/features/push-subscriptions/push-subscriptions.ts": PUSH_SUBSCRIPTIONS_DEFINITION,
  },
}];
