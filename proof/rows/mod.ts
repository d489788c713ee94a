/** Rows that the proofs plant, as one face: a world of callers, its records, and how they come into a database. */
export * from "./api_key_seed.ts";
export * from "./client_grant_seed.ts";
export * from "./computed_values.ts";
export * from "./conditions.ts";
export * from "./followed.ts";
export * from "./hidden_columns.ts";
export * from "./own_databases.ts";
export * from "./row_ids.ts";
export * from "./seed_database.ts";
export type * from "./seed_row.ts";
export * from "./seed_rows.ts";
export * from "./twins.ts";
export * from "./session_seed.ts";
export * from "./standing_rows.ts";
export * from "./unique_rows.ts";
export * from "./world.ts";
