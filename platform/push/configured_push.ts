/** Push messages as a project and its operator configure them. */
import type { Logger, PushSealer } from "../../shared/runtime/ports.ts";
import { readVapidKeys, type VapidOptions } from "./vapid_keys.ts";
import { webPushSealer } from "./web_push_sealer.ts";

export interface PushSettings extends VapidOptions {
  readonly logger: Logger;
}

/** As members of the ports of webhooks: a project without push messages needs no keys. */
export async function configuredPush(
  { push }: { readonly push: boolean },
  { logger, ...options }: PushSettings,
): Promise<{ readonly push?: PushSealer }> {
  if (!push) return {};
  const keys = await readVapidKeys(options);
  // Pages cannot subscribe without it, and it is no secret.
  const fields = { applicationServerKey: keys.publicKey };
  logger.log({ level: "info", message: "Push messages are on", fields });
  return { push: webPushSealer(keys) };
}
