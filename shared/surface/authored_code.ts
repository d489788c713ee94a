/**
 * Links the runtime to a generated project's code outside of features (definitions 6). The author's files type their functions;
 * the runtime calls them through `unknown`, like those of actions.
 */

import type { ZodType } from "zod";
import type { RecordHookName } from "../model/mod.ts";

type Code = (...given: never) => unknown;

/** Code of `defineService(({ env, db }) => ({ … }))`. */
export interface ServiceCode {
  readonly create: Code;
}

/** Code of `defineWebhookProvider({ … })`. */
export interface WebhookProviderCode {
  readonly name: string;
  /** Name of the signature's header; undefined: `<provider>-signature`. */
  readonly signatureHeader?: string | undefined;
  /** Function `(payload, signature, secret)`, which returns true for a genuine payload. */
  readonly verifySignature: Code;
  /** Function `(payload)`, which returns `{ type, data, externalId? }`. */
  readonly parseEvent: Code;
  /** Function `(event)`, which returns the id of its organization, or nothing. */
  readonly organizationOf?: Code | undefined;
}

/** Code of `onWebhookEvent(on, handle)`. */
export interface WebhookHandlerCode {
  readonly on: string;
  readonly handle: Code;
}

/** Code of `defineJob({ input, run })`. */
export interface JobCode {
  readonly input: ZodType;
  readonly run: Code;
}

/** Code of `defineHooks(table, { … })`. */
export interface RecordHooksCode {
  /** The file's path in the project, for messages. */
  readonly file: string;
  readonly hooks: Readonly<Partial<Record<RecordHookName, Code>>>;
}

/** A default-exported Hono middleware. */
export interface MiddlewareCode {
  /** The file's path in the project, for messages. */
  readonly file: string;
  readonly handle: Code;
}

/** Code of one signal of the registry; the model has its keys. */
interface SignalCode {
  readonly audience: { readonly scope: string; readonly recipients?: Code | undefined };
}

/** Code of `defineRealtime({ <binding>: { <variant>: { keys, audience } } })`. */
export type RealtimeCode = Readonly<Record<string, Readonly<Record<string, SignalCode>>>>;

/** Code that `src/services.ts` of an output collects. None of it is in the model, which is plain JSON. */
export interface AuthoredCode {
  /** Services by the name under which handlers get them. */
  readonly services: Readonly<Record<string, ServiceCode>>;
  readonly webhookProviders: readonly WebhookProviderCode[];
  /** Handlers in the order of registration. */
  readonly webhookHandlers: readonly WebhookHandlerCode[];
  /** Middlewares in the order in which requests pass them. */
  readonly middlewares: readonly MiddlewareCode[];
  /** Hooks by `AuthHookName`. */
  readonly authHooks: Readonly<Record<string, Code | undefined>>;
  /** Verifiers by the module's path, as in `auth.principals` of the model. */
  readonly verifiers: Readonly<Record<string, Code>>;
  readonly realtime: RealtimeCode | null;
  /** Jobs by the name under which handlers queue them; absent: there are none. */
  readonly jobs?: Readonly<Record<string, JobCode>>;
  /** Hooks by table; absent: there are none. */
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
