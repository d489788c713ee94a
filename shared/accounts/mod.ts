/** Accounts of a generated API (contract 5, definitions 7). */
export { hashPassword } from "better-auth/crypto";
export { createAccounts } from "./accounts.ts";
export type { AccountsDependencies } from "./dependencies.ts";
