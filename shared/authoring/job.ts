/** `defineJob` and `defineSchedule`: work that is queued in a transaction and runs after it (definitions 6). */
import type { input as inputOf, output as outputOf, ZodType } from "zod";
import type { job, schedule } from "../definition_language/services.ts";
import type { Written } from "../definition_language/shape.ts";
import type { HandlerEnv, JsonValue } from "../model/mod.ts";
import type {
  ActionContext,
  HandlerDatabase,
  HandlerFiles,
  UnsafeDatabase,
} from "./handler_context.ts";
import type { ProjectServices, RegisteredJobs } from "./register.ts";

interface JobOptions {
  /** Delay in seconds, at most 30 days, or the time itself. */
  readonly delay?: number | Date;
  /**
   * Makes the job unique: while a job with this name and key waits, runs or finished within a day, a second one returns its id.
   */
  readonly key?: string;
}

/** A queue of a job, `jobs.<name>` in handlers. */
export interface JobQueue<Input = unknown> {
  /**
   * Queues the job in the caller's transaction and returns its id. Throws for an input that the schema refuses or that exceeds
   * 64 kB of JSON, and for a delay beyond 30 days.
   */
  enqueue(input: Input, options?: JobOptions): Promise<string>;
}

/** A queue of a job where no request determines the organization. */
export interface UnattendedJobQueue<Input = unknown> {
  enqueue(
    input: Input,
    options?: JobOptions & { readonly organizationId?: string },
  ): Promise<string>;
}

/** The caller of a job: whoever queued it, without roles. */
export interface JobContext
  extends Pick<ActionContext, "userId" | "organizationId" | "activeOrgId" | "teamId" | "roles"> {
  readonly system: true;
}

/** The databases and services of one transaction. */
export interface JobWork {
  /** The project's tables, restricted to the tenant of whoever queued the job. Rows of every owner are included. */
  readonly db: HandlerDatabase;
  /** Exists only if the job declares `unsafe`. */
  readonly unsafeDb: UnsafeDatabase;
  readonly services: ProjectServices;
  readonly jobs: ProjectJobs;
  /** Exists only if a table has a file column. */
  readonly files: HandlerFiles;
  /** Variables of the process. It also binds events and push messages to the transaction. */
  readonly env: HandlerEnv;
}

export interface JobParameters<Input = unknown> extends JobWork {
  /** The parsed input. */
  readonly input: Input;
  readonly ctx: JobContext;
  /** Number of this attempt, at most three. */
  readonly attempt: number;
  /** Is aborted when the run exceeds its time or its job is gone. Later writes are not kept. */
  readonly signal: AbortSignal;
  /**
   * Runs a step that commits by itself, once. A later attempt gets the step's result as JSON without running it again. Use
   * steps if a run writes for longer than five seconds.
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
