/** `defineService`: what handlers get as `services.<name>` (definitions 6). */
import type { HandlerEnv } from "../model/mod.ts";
import type { ScopedDatabase } from "./handler_context.ts";
import type { ProjectJobs } from "./job.ts";

/** Parameters from which a service is made, once per call: the caller's own database, in the call's own transaction. */
export interface ServiceParameters {
  readonly env: HandlerEnv;
  readonly db: ScopedDatabase;
  /** Queues jobs with the call's transaction. */
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

/** The service type that handlers get from a definition. */
export type ServiceOf<Definition> = Definition extends ServiceDefinition<infer Service> ? Service
  : never;
