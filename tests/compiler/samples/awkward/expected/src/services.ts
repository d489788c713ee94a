/** The author's code outside of features: services, webhooks, middlewares, hooks. */
import { type AuthoredCode } from "./quickback/surface/authored_code.ts";

export const authored: AuthoredCode = {
  services: {},
  webhookProviders: [],
  webhookHandlers: [],
  middlewares: [],
  authHooks: {},
  verifiers: {},
  realtime: null,
};
