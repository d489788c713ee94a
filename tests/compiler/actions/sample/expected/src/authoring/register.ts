/** Tells the types of handlers what tables, services and signals this project has. */
import type * as schema from "../schema/mod.ts";
import { type ServiceOf } from "../quickback/authoring/service.ts";
import type service1 from "../authored/services/job-counts.ts";

declare module "../quickback/authoring/register.ts" {
  interface Register {
    readonly schema: typeof schema;
    readonly tables: {
      readonly jobs: typeof schema.jobs;
      readonly notes: typeof schema.notes;
    };
    readonly services: {
      readonly jobCounts: ServiceOf<typeof service1>;
    };
    readonly signals: {
      readonly board: {
        changed(payload: { readonly year: unknown; readonly [more: string]: unknown }): void;
      };
    };
  }
}
