/** The numbers and names that the contract fixes: codes, limits, headers, fields. */
export * from "./addresses.ts";
export * from "./codes.ts";
export * from "./fields.ts";
export * from "./files.ts";
export * from "./handler_methods.ts";
export * from "./headers.ts";
export * from "./jobs.ts";
export * from "./limits.ts";
export * from "./masks.ts";
export * from "./principals.ts";
export * from "./problem_types.ts";
export * from "./routed_request.ts";
export * from "./version.ts";
export * from "./versions.ts";
export * from "./webhooks.ts";
