/** `defineService`: `services.<name>` of handlers (definitions 6). */
import type { HandlerEnv } from "../model/mod.ts";
import type { HandlerDatabase } from "./handler_context.ts";
import type { ProjectJobs } from "./job.ts";

/** Parameters for making a service, once per call: the caller's database in the transaction of the call. */
export interface ServiceParameters {
  readonly env: HandlerEnv;
  readonly db: HandlerDatabase;
  /** Queues jobs in the transaction of the call. */
  readonly jobs: ProjectJobs;
}

export interface ServiceDefinition<Service> {
  readonly create: (given: ServiceParameters) => Service;
}

export function defineService<Service>(
  create: (given: ServiceParameters) => Service,
): ServiceDefinition<Service> {
  return { create };
}

/** The service's type in handlers. */
export type ServiceOf<Definition> = Definition extends ServiceDefinition<infer Service> ? Service
  : never;
