/**
 * The link from the runtime to a generated project's code outside of features (definitions 6). Functions are typed where
 * they are written; the runtime calls them through `unknown`, as it calls those of actions.
 */

import type { ZodType } from "zod";
import type { RecordHookName } from "../model/mod.ts";

type Code = (...given: never) => unknown;

/** `defineService(({ env, db }) => ({ … }))`. */
export interface ServiceCode {
  readonly create: Code;
}

/** `defineWebhookProvider({ … })`. */
export interface WebhookProviderCode {
  readonly name: string;
  /** Undefined: `<provider>-signature`. */
  readonly signatureHeader?: string | undefined;
  /** `(payload, signature, secret)`, true for a genuine payload. */
  readonly verifySignature: Code;
  /** `(payload)` → `{ type, data, externalId? }`. */
  readonly parseEvent: Code;
  /** `(event)` → the id of its organization, or nothing. */
  readonly organizationOf?: Code | undefined;
}

/** `onWebhookEvent(on, handle)`. */
export interface WebhookHandlerCode {
  readonly on: string;
  readonly handle: Code;
}

/** `defineJob({ input, run })`. */
export interface JobCode {
  readonly input: ZodType;
  readonly run: Code;
}

/** `defineHooks(table, { … })`. */
export interface RecordHooksCode {
  /** For messages: its path in the project. */
  readonly file: string;
  readonly hooks: Readonly<Partial<Record<RecordHookName, Code>>>;
}

/** A default-exported Hono middleware. */
export interface MiddlewareCode {
  /** For messages: its path in the project. */
  readonly file: string;
  readonly handle: Code;
}

/** One signal of the registry; what it may say is in the model. */
interface SignalCode {
  readonly audience: { readonly scope: string; readonly recipients?: Code | undefined };
}

/** `defineRealtime({ <binding>: { <variant>: { keys, audience } } })`. */
export type RealtimeCode = Readonly<Record<string, Readonly<Record<string, SignalCode>>>>;

/** Code that `src/services.ts` of an output gathers. None of it is in the model, which is plain JSON. */
export interface AuthoredCode {
  /** By the name under which handlers get it. */
  readonly services: Readonly<Record<string, ServiceCode>>;
  readonly webhookProviders: readonly WebhookProviderCode[];
  /** In the order of registration. */
  readonly webhookHandlers: readonly WebhookHandlerCode[];
  /** In the order in which requests pass them. */
  readonly middlewares: readonly MiddlewareCode[];
  /** By `AuthHookName`. */
  readonly authHooks: Readonly<Record<string, Code | undefined>>;
  /** By the module's path as `auth.principals` of the model has it. */
  readonly verifiers: Readonly<Record<string, Code>>;
  readonly realtime: RealtimeCode | null;
  /** By the name under which handlers queue it; absent: there are none. */
  readonly jobs?: Readonly<Record<string, JobCode>>;
  /** By table; absent: there are none. */
  readonly recordHooks?: Readonly<Record<string, RecordHooksCode>>;
}

export const NO_CODE: AuthoredCode = {
  services: {},
  webhookProviders: [],
  webhookHandlers: [],
  middlewares: [],
  authHooks: {},
  verifiers: {},
  realtime: null,
};
