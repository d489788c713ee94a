/** Accounts of a generated API (contract 5, definitions 7). */
export { createAccounts } from "./accounts.ts";
export { organizationEnding } from "./credentials/end_organization.ts";
export { banByOperator, confirmByOperator } from "./credentials/operator_acts.ts";
export type { AccountsDependencies } from "./dependencies.ts";
export { sessionCookieFor } from "./library_secret.ts";
export { hashPassword } from "./hash_password.ts";
