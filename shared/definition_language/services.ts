/** Code outside of features: providers of inbound webhooks, the realtime registry, jobs and schedules (definitions 6). */
import {
  JOB_TIMEOUT_MAX_SECONDS,
  JOB_TIMEOUT_SECONDS,
  type ParsedWebhook,
} from "../contract/mod.ts";
import { SCHEDULE_SUBJECTS } from "../contract/mod.ts";
import { type JsonValue, SIGNAL_SCOPES } from "../model/mod.ts";
import type { RoleName } from "./register.ts";
import * as s from "./shape.ts";

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
  /**
   * The id of the organization that the event is of, from what the provider itself assigns; nothing: of nobody. Its owner and
   * admins then see the payload.
   */
  organizationOf: s.ruled<
    (
      event: ParsedWebhook,
    ) => string | null | undefined | Promise<string | null | undefined>
  >("a function"),
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

/** Leave of a job to look past the rows of whoever queued it. */
export const JOB_UNSAFE = s.object({
  /** Stands in every audit row. */
  reason: s.required(s.text),
  /** Rows of other tenants, too: such a job is nobody's, and `sysadmin` or a schedule queues it. */
  crossTenant: s.byDefault(s.boolean, false),
});

/** Work that is queued with a transaction and done after it. */
export function job<Input, Run>() {
  return s.object({
    /** Zod schema of what it is queued with. */
    input: s.required(s.ruled<Input>("`z.object({ … })`")),
    /** The work itself. What it does outside of the database may happen twice. */
    run: s.required(s.ruled<Run>("a function")),
    /** Seconds after which a run has failed. */
    timeout: s.byDefault(s.integer(1, JOB_TIMEOUT_MAX_SECONDS), JOB_TIMEOUT_SECONDS),
    /** Gives the run `unsafeDb`: deleted rows, with `crossTenant` those of every tenant. */
    unsafe: s.ruled<s.Written<typeof JOB_UNSAFE>>("an object with a reason"),
  });
}
export const JOB = job<unknown, unknown>();

/** Times at which a job is queued, once for all instances together. */
export function schedule<Name extends string, Input>() {
  return s.object({
    /** Minute, hour, day of the month, month and day of the week: `30 6 * * MON-FRI`. */
    cron: s.required(s.word("five fields such as `30 6 * * MON-FRI`")),
    /** The file name of the job. */
    job: s.required(s.word<Name>("the name of a job")),
    /** Input of the job that it queues, as JSON; by default `{}`. */
    input: s.ruled<Input>("a JSON value"),
    /** IANA name of the time zone that the fields are in; by default `UTC`. */
    timeZone: s.word("a time zone such as `Europe/Berlin`"),
    /** `organization`: a job for each organization, with its scope. Absent: one job that reaches tables without a tenant only. */
    each: s.oneOf(SCHEDULE_SUBJECTS),
  });
}
export const SCHEDULE = schedule<string, JsonValue>();
