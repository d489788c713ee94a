/** Code outside of features: providers of inbound webhooks, the realtime registry, jobs and schedules (definitions 6). */
import { JOB_TIMEOUT_MAX_SECONDS, JOB_TIMEOUT_SECONDS } from "../contract/mod.ts";
import { SCHEDULE_SUBJECTS } from "../contract/mod.ts";
import type { ParsedWebhook } from "../contract/mod.ts";
import { type JsonValue, SIGNAL_SCOPES } from "../model/mod.ts";
import type { RoleName } from "./register.ts";
import * as s from "./shape.ts";

/** A provider of inbound webhooks. `payload` is the raw body. */
export const WEBHOOK_PROVIDER = s.object({
  /** Name: the last segment of its route, and the prefix of its event types. */
  name: s.required(s.matching(/^[a-z][a-z0-9_-]*$/, "a provider name in lower case")),
  /** Header with the signature. Default: `<name>-signature`. */
  signatureHeader: s.matching(/^[A-Za-z0-9-]+$/, "a header's name"),
  /** Returns true if the payload was signed with the secret, and recently. */
  verifySignature: s.required(
    s.ruled<
      (payload: string, signature: string, secret: string) => boolean | Promise<boolean>
    >("a function"),
  ),
  /** Returns the event in the payload. */
  parseEvent: s.required(s.ruled<(payload: string) => ParsedWebhook>("a function")),
  /**
   * Returns the id of the event's organization from a value that the provider assigns; undefined: none. Its owners and admins
   * can then read the payload.
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
    /** Members of the payload that are sent. All others are dropped. */
    keys: s.required(s.words("members")),
    /** Subscribers who receive it: in the scope, with one of the roles, and among the recipients. */
    audience: s.required(s.object({
      /** The organization, team or user of the action's caller. `all` requires a project without organizations. */
      scope: s.required(s.oneOf(SIGNAL_SCOPES)),
      /** Roles of which a subscriber needs one. */
      roles: s.ruled<readonly RoleName[]>("roles"),
      /** Returns user ids. If it throws or returns none, nobody receives the signal. */
      recipients: s.ruled<Recipients>("a function"),
    })),
  });
}
export const SIGNAL = signal<unknown>();

/** Permission of a job to reach beyond the rows of whoever queued it. */
export const JOB_UNSAFE = s.object({
  /** The reason. Every audit row contains it. */
  reason: s.required(s.text),
  /** The job may reach rows of other tenants. It belongs to nobody, and only `sysadmin` or a schedule can queue it. */
  crossTenant: s.byDefault(s.boolean, false),
});

/** Work that is queued in a transaction and runs after it. */
export function job<Input, Run>() {
  return s.object({
    /** Zod schema of the input. */
    input: s.required(s.ruled<Input>("`z.object({ … })`")),
    /** The work. Its effects outside of the database may happen twice. */
    run: s.required(s.ruled<Run>("a function")),
    /** Seconds after which a run fails. */
    timeout: s.byDefault(s.integer(1, JOB_TIMEOUT_MAX_SECONDS), JOB_TIMEOUT_SECONDS),
    /** Gives the run `unsafeDb`, which reaches deleted rows and, with `crossTenant`, every tenant. */
    unsafe: s.ruled<s.Written<typeof JOB_UNSAFE>>("an object with a reason"),
  });
}
export const JOB = job<unknown, unknown>();

/** Times at which a job is queued, once for all instances together. */
export function schedule<Name extends string, Input>() {
  return s.object({
    /** Minute, hour, day of the month, month and day of the week: `30 6 * * MON-FRI`. */
    cron: s.required(s.word("five fields such as `30 6 * * MON-FRI`")),
    /** File name of the job. */
    job: s.required(s.word<Name>("the name of a job")),
    /** Input of the queued job as JSON. Default: `{}`. */
    input: s.ruled<Input>("a JSON value"),
    /** IANA name of the fields' time zone. Default: `UTC`. */
    timeZone: s.word("a time zone such as `Europe/Berlin`"),
    /**
     * `organization`: queues a job for each organization, within its scope. Default: one job, which reaches only tables without
     * a tenant.
     */
    each: s.oneOf(SCHEDULE_SUBJECTS),
  });
}
export const SCHEDULE = schedule<string, JsonValue>();
