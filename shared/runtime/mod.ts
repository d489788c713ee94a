/** The face of the runtime: what templates, hosts and tests import. */
export { type App, type AppOptions, createApp } from "./app.ts";
export { applyMigrations, type Migration } from "./data/migrations.ts";
export * from "./ports.ts";
export type { Trace } from "./trace.ts";
export type { ProjectModel } from "../model/project.ts";
