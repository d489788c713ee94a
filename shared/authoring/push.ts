/** Push messages as authors send them (definitions 7, "push subscriptions"). */
import { type HandlerEnv, SEND_PUSH } from "../model/mod.ts";

/** Receivers of a message, and instructions to the push service. */
export interface PushOptions {
  readonly userId?: string | null | undefined;
  readonly userIds?: readonly string[] | undefined;
  /** Seconds for which the push service keeps it for a device that is away; left out: four weeks. */
  readonly ttl?: number | undefined;
  readonly urgency?: "very-low" | "low" | "normal" | "high" | undefined;
  /** A later message under the same topic takes the place of one that was not delivered yet. */
  readonly topic?: string | undefined;
}

/**
 * Sends `payload`, as JSON, to every subscription of these users. `env` is the one that the handler was given: the message
 * leaves when the handler's transaction has committed, and not at all when it does not.
 */
export function sendPush(payload: unknown, options: PushOptions, env: HandlerEnv): Promise<void> {
  const send: unknown = Reflect.get(env, SEND_PUSH);
  if (typeof send !== "function") {
    throw new TypeError("sendPush needs the env that the handler was given");
  }
  // The promise itself, without another around it: who does not wait for it is told of its failure in the log.
  return send({ payload, ...options });
}
