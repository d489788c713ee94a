/**
 * Hidden members of the `env` of authored code. Functions that authors import, such as `emitWebhookEvent`, find there which
 * transaction they belong to: nothing else could tell them. Symbols of the registry, so that two copies of this module
 * agree.
 */

/** Under it stands what `emitWebhookEvent` calls. */
export const EMIT_WEBHOOK_EVENT: unique symbol = Symbol.for("quickback.emitWebhookEvent");

/** Under it stands what `sendPush` calls. */
export const SEND_PUSH: unique symbol = Symbol.for("quickback.sendPush");

/** Variables of the process, and what is bound to the call. */
export type HandlerEnv = Readonly<Record<string, string | undefined>>;
