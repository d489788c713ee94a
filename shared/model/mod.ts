/** Types of the project model, one by one or several in a line; what has values comes from its own module. */
export type * from "./access.ts";
export type * from "./action.ts";
export type * from "./auth_tables.ts";
export type * from "./authored.ts";
export type * from "./email.ts";
export type * from "./jobs.ts";
export type * from "./principal.ts";
export type * from "./project.ts";
export type * from "./realtime.ts";
export type * from "./resource.ts";
export type * from "./seed.ts";
export type * from "./service_tables.ts";
export type * from "./sql_table.ts";
export type * from "./table.ts";
export type * from "./table_spec.ts";
export type * from "./tenancy.ts";
export type * from "./webhooks.ts";
