/** Tells the types of handlers what tables and signals this project has. */
import type * as schema from "../schema/mod.ts";

declare module "../quickback/authoring/register.ts" {
  interface Register {
    readonly schema: typeof schema;
    readonly tables: {
      readonly jobs: typeof schema.jobs;
      readonly notes: typeof schema.notes;
    };
    readonly signals: {
      readonly board: {
        changed(payload: Readonly<Record<string, unknown>>): void;
      };
    };
  }
}
