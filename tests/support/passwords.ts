/** The accounts' own password hashes, each worked out once: scrypt takes a tenth of a second of a core by design. */
import { hashPassword, verifyPassword } from "better-auth/crypto";
import type { PasswordHasher } from "../../shared/accounts/dependencies.ts";

const HASHES = new Map<string, Promise<string>>();
const VERDICTS = new Map<string, Promise<boolean>>();

/** Equal passwords share a salt; all else is as the library does it. */
export const passwords: PasswordHasher = {
  hash: (password) => HASHES.getOrInsertComputed(password, hashPassword),
  verify: (given) =>
    VERDICTS.getOrInsertComputed(JSON.stringify(given), () => verifyPassword(given)),
};
