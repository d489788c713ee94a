/** `defineJob` and `defineSchedule`: work that is queued with a transaction and done after it (definitions 6). */
import type { input as inputOf, output as outputOf, ZodType } from "zod";
import type { job, schedule } from "../definition_language/services.ts";
import type { Written } from "../definition_language/shape.ts";
import type { HandlerEnv, JsonValue } from "../model/mod.ts";
import type {
  ActionContext,
  HandlerFiles,
  ScopedDatabase,
  UnsafeDatabase,
} from "./handler_context.ts";
import type { ProjectServices, RegisteredJobs } from "./register.ts";

interface JobOptions {
  /** Seconds, at most 30 days, or the time itself. */
  readonly delay?: number | Date;
  /** One job of this name and key that waits, runs or has finished within a day: a second one gives the first one's id. */
  readonly key?: string;
}

/** `jobs.<name>` of handlers. */
export interface JobQueue<Input = unknown> {
  /**
   * Queues the job in the transaction of whoever calls, and gives its id. Throws for an input that its schema refuses or that
   * has more than 64 kB of JSON, and for a delay beyond 30 days.
   */
  enqueue(input: Input, options?: JobOptions): Promise<string>;
}

/** The same where no request says whose job it is. */
export interface UnattendedJobQueue<Input = unknown> {
  enqueue(
    input: Input,
    options?: JobOptions & { readonly organizationId?: string },
  ): Promise<string>;
}

/** Caller of a job: whoever queued it, without roles. */
export interface JobContext
  extends Pick<ActionContext, "userId" | "organizationId" | "activeOrgId" | "teamId" | "roles"> {
  readonly system: true;
}

/** Databases and services of one transaction. */
export interface JobWork {
  /** The project's tables behind the tenant of whoever queued the job; every owner's rows. */
  readonly db: ScopedDatabase;
  /** Stands there only where the job declares `unsafe`. */
  readonly unsafeDb: UnsafeDatabase;
  readonly services: ProjectServices;
  readonly jobs: ProjectJobs;
  /** Stands there only where a table has a file column. */
  readonly files: HandlerFiles;
  /** Variables of the process; binds events and push messages to the transaction. */
  readonly env: HandlerEnv;
}

export interface JobParameters<Input = unknown> extends JobWork {
  /** As its schema gives it. */
  readonly input: Input;
  readonly ctx: JobContext;
  /** Of three. */
  readonly attempt: number;
  /** Aborted when the run takes too long or its job is gone: what it writes then is not kept. */
  readonly signal: AbortSignal;
  /**
   * Effects that commit by themselves, once: a later attempt gets what the step gave, as JSON, without running it again. For
   * a run that writes for longer than five seconds.
   */
  readonly step: <Result>(
    name: string,
    work: (given: JobWork) => Promise<Result>,
  ) => Promise<Result>;
}

export interface JobDefinition<Input extends ZodType = ZodType> extends
  Written<
    typeof job<Input, (parameters: JobParameters<outputOf<Input>>) => unknown>
  > {}

/** The default export of `quickback/jobs/<name>.ts`. */
export function defineJob<Input extends ZodType>(
  definition: JobDefinition<Input>,
): JobDefinition<Input> {
  return definition;
}

type JobInput<Definition> = Definition extends JobDefinition<infer Input> ? inputOf<Input>
  : unknown;

/** `jobs` of handlers. */
export type ProjectJobs = {
  readonly [Name in keyof RegisteredJobs]: JobQueue<JobInput<RegisteredJobs[Name]>>;
};

/** `jobs` of webhook handlers and account hooks. */
export type UnattendedJobs = {
  readonly [Name in keyof RegisteredJobs]: UnattendedJobQueue<JobInput<RegisteredJobs[Name]>>;
};

export interface ScheduleDefinition
  extends Written<typeof schedule<keyof RegisteredJobs & string, JsonValue>> {}

/** The default export of `quickback/schedules/<name>.ts`. */
export function defineSchedule(definition: ScheduleDefinition): ScheduleDefinition {
  return definition;
}
