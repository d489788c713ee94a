/** The author's code outside of features: services, webhooks, middlewares, hooks. */
import { type AuthoredCode } from "./quickback/surface/authored_code.ts";
import "./authoring/register.ts";
import service1 from "./authored/services/job-counts.ts";
import provider2 from "./authored/services/forge.ts";
import {
  webhookEvent1 as event3,
  webhookEvent2_ as event4,
} from "./authored/services/forge-events.ts";
import middleware5 from "./authored/middlewares/10-timing.ts";
import { beforeSignUp as hook6, default as hook7 } from "./authored/hooks/auth.ts";
import realtime8 from "./authored/services/realtime.ts";

export const authored: AuthoredCode = {
  services: { jobCounts: service1 },
  webhookProviders: [provider2],
  webhookHandlers: [event3, event4],
  middlewares: [{ file: "quickback/middlewares/10-timing.ts", handle: middleware5 }],
  authHooks: { beforeSignUp: hook6, onOrganizationCreated: hook7.onOrganizationCreated },
  verifiers: {},
  realtime: realtime8,
};
