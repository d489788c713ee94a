/** Which of the account library's routes are given a password to check: each must be counted (contract 7.2). Sign-up has no form. */
import { assertEquals } from "@std/assert";
import { betterAuth } from "better-auth/minimal";
import { withDatabase } from "../../support/databases.ts";
import { sampleAuthOptions } from "../../support/sample_auth_options.ts";

/** Members that `discovery/accounts.ts` counts by, and those that hold a new password. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  "/sign-in/email": ["password"],
  "/change-password": ["newPassword", "currentPassword"],
  "/verify-password": ["password"],
  "/delete-user": ["password"],
  // Passwords of accounts that are not there yet, or that somebody else chooses.
  "/reset-password": ["newPassword"],
  "/admin/create-user": ["password"],
  "/admin/set-user-password": ["newPassword"],
};

Deno.test("every route of the account library that takes a password is known to whoever counts them", async () => {
  await withDatabase((database) => {
    const { api } = betterAuth(sampleAuthOptions(database));
    const found = Object.values(api).flatMap((endpoint) => {
      const path = memberOf(endpoint, "path");
      const shape = memberOf(memberOf(memberOf(endpoint, "options"), "body"), "shape");
      const members = Object.keys(Object(shape)).filter((name) => /password/i.test(name));
      return typeof path === "string" && members.length > 0 ? [[path, members] as const] : [];
    });
    assertEquals(Object.fromEntries(found), KNOWN);
    return Promise.resolve();
  });
});

function memberOf(value: unknown, name: string): unknown {
  return Object(value)[name];
}
