/** A project without code of its own beside its actions. */
import type { AuthoredModel } from "../../shared/model/authored.ts";

export const NO_AUTHORED_CODE: AuthoredModel = {
  services: [],
  providers: [],
  webhookHandlers: [],
  middlewares: [],
  authHooks: null,
  realtime: null,
};
