/** Push messages as authors send them (definitions 7, "push subscriptions"). */
import { type HandlerEnv, SEND_PUSH } from "../model/mod.ts";

/** Receivers of a message, and instructions to the push service. */
export interface PushOptions {
  readonly userId?: string | null | undefined;
  readonly userIds?: readonly string[] | undefined;
  /** Seconds for which the push service keeps the message while the device is away. Default: four weeks. */
  readonly ttl?: number | undefined;
  readonly urgency?: "very-low" | "low" | "normal" | "high" | undefined;
  /** A later message with the same topic replaces an undelivered one. */
  readonly topic?: string | undefined;
}

/**
 * Sends `payload` as JSON to every subscription of these users. `env` is the handler's own: the message is sent when the
 * handler's transaction commits, and not at all if it is rolled back.
 */
export function sendPush(payload: unknown, options: PushOptions, env: HandlerEnv): Promise<void> {
  const send: unknown = Reflect.get(env, SEND_PUSH);
  if (typeof send !== "function") {
    throw new TypeError("sendPush needs the env that the handler was given");
  }
  // The original promise is returned, so that the failure of one that nobody awaits is logged.
  return send({ payload, ...options });
}
