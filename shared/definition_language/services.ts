/** Code outside of features: providers of inbound webhooks and the realtime registry (definitions 6). */
import { SIGNAL_SCOPES } from "../model/realtime.ts";
import type { RoleName } from "./register.ts";
import * as s from "./shape.ts";

export interface ParsedWebhook {
  /** Without the provider's prefix. */
  readonly type: string;
  readonly data: unknown;
  /** The provider's own id of the event: what a repetition is known by. */
  readonly externalId?: string | undefined;
}

/** A provider of inbound webhooks. `payload` is the body as it arrived. */
export const WEBHOOK_PROVIDER = s.object({
  /** The last segment of its route, and the prefix of its events' types. */
  name: s.required(s.matching(/^[a-z][a-z0-9_-]*$/, "a provider name in lower case")),
  /** Header of the signature; by default `<name>-signature`. */
  signatureHeader: s.matching(/^[A-Za-z0-9-]+$/, "a header's name"),
  /** True when the payload was signed with the secret, and not too long ago. */
  verifySignature: s.required(
    s.ruled<
      (payload: string, signature: string, secret: string) => boolean | Promise<boolean>
    >("a function"),
  ),
  /** The event in the payload. */
  parseEvent: s.required(s.ruled<(payload: string) => ParsedWebhook>("a function")),
});

export interface WebhookProvider extends s.Written<typeof WEBHOOK_PROVIDER> {}

/** A signal of the realtime registry. */
export function signal<Recipients>() {
  return s.object({
    /** Members of the payload that leave; all others are dropped. */
    keys: s.required(s.words("members")),
    /** Subscribers that are in the scope, hold one of the roles and are among the recipients. */
    audience: s.required(s.object({
      /** The organization, the team or the user of the action's caller; `all` only without organizations. */
      scope: s.required(s.oneOf(SIGNAL_SCOPES)),
      /** Roles that a subscriber needs one of. */
      roles: s.ruled<readonly RoleName[]>("roles"),
      /** Gives user ids. One that throws or gives none reaches nobody. */
      recipients: s.ruled<Recipients>("a function"),
    })),
  });
}
export const SIGNAL = signal<unknown>();
