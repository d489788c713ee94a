/** Tells editors and type checkers what this project has. Made by quickback from the definitions: dev and types keep it current. */
import "quickback";
import type * as schema from "./types/schema/mod.ts";

declare module "quickback" {
  interface Register {
    readonly schema: typeof schema;
    readonly tables: {
      readonly jobs: typeof schema.jobs;
      readonly notes: typeof schema.notes;
    };
    readonly foreignKeys:
      | "notes.jobId";
    readonly records: {
      readonly "Close a job": typeof schema.jobs;
      readonly Pin: typeof schema.notes;
      readonly Reopen: typeof schema.jobs;
    };
    readonly actions: {
      readonly "jobs.close": typeof import("../quickback/features/jobs/actions/close.ts").default;
      readonly "jobs.pin": typeof import("../quickback/features/jobs/actions/notes/pin.ts").default;
      readonly "jobs.reopen": typeof import("../quickback/features/jobs/actions/reopen.ts").default;
      readonly "jobs.stats": typeof import("../quickback/features/jobs/actions/stats.ts").default;
      readonly "reports.year-end": (typeof import("../quickback/features/reports/actions.ts").default)["year-end"];
    };
    readonly actionNames:
      | "close"
      | "pin"
      | "reopen"
      | "stats"
      | "year-end";
    readonly events:
      | "user.created"
      | "user.updated"
      | "user.deleted"
      | "subscription.created"
      | "subscription.updated"
      | "subscription.cancelled"
      | "subscription.renewed"
      | "organization.created"
      | "organization.updated"
      | "organization.deleted"
      | "organization.member_added"
      | "organization.member_removed"
      | "file.uploaded"
      | "file.deleted";
    readonly services: {
      readonly jobCounts: ReturnType<(typeof import("../quickback/services/job-counts.ts").default)["create"]>;
    };
    readonly signals: {
      readonly board: {
        changed(payload: { readonly year: unknown; readonly [more: string]: unknown }): void;
      };
    };
    readonly signalNames:
      | "board.changed";
  }
}

declare module "../quickback/features/jobs/jobs.ts" {
  export const jobs: typeof schema.jobs;
}

declare module "../quickback/features/jobs/notes.ts" {
  export const notes: typeof schema.notes;
}
