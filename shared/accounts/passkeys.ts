/**
 * Passkeys (definitions 2, `passkeys`): the account library's plugin, held to what it leaves open. A passkey counts as both
 * factors, since its device has verified the user; and it belongs to whoever has proved the account's address.
 */
import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import type { ProjectModel } from "../model/mod.ts";
import type { LibraryInput } from "./library_input.ts";

export function passkeyPlugin(input: LibraryInput) {
  const { project, settings: { baseUrl }, database } = input;
  return passkey({
    rpID: relyingParty(project, baseUrl),
    rpName: project.name,
    // Not the one that the request itself names.
    origin: [...new Set([baseUrl, ...project.trustedOrigins])],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      async afterVerification({ verification, user }) {
        requireVerifiedUser(verification.registrationInfo?.userVerified);
        const sql = `SELECT 1 FROM "auth_user" WHERE "id" = ? AND "email_verified" = 1`;
        if ((await database.run({ sql, args: [user.id] })).rows.length === 0) throw unconfirmed();
      },
    },
    authentication: {
      async afterVerification({ verification, clientData }) {
        requireVerifiedUser(verification.authenticationInfo.userVerified);
        if (!project.auth.requireEmailVerification) return;
        const sql =
          `SELECT 1 FROM "auth_passkey" AS "p" JOIN "auth_user" AS "u" ON "u"."id" = "p"."user_id"
          WHERE "p"."credential_i_d" = ? AND "u"."email_verified" = 1`;
        const { rows } = await database.run({ sql, args: [clientData.id] });
        if (rows.length === 0) throw unconfirmed();
      },
    },
  });
}

/** A device that anybody may use is one factor. */
function requireVerifiedUser(isVerified: boolean | undefined): void {
  if (isVerified) return;
  throw new APIError("UNAUTHORIZED", {
    code: "USER_NOT_VERIFIED",
    message: "The device has not verified its user",
  });
}

function unconfirmed() {
  const message = "Confirm the address of the account first";
  return new APIError("FORBIDDEN", { code: "EMAIL_NOT_VERIFIED", message });
}

/** The domain that keys are bound to: the API's own, or the one that it shares with the application that `email.appUrl` names. */
export function relyingParty(
  { email: { links } }: Pick<ProjectModel, "email">,
  baseUrl: string,
): string {
  const own = new URL(baseUrl).hostname;
  const labels = own.split(".");
  const others = new URL(links?.appUrl ?? baseUrl).hostname.split(".");
  let shared = 0;
  while (shared < labels.length && labels.at(-1 - shared) === others.at(-1 - shared)) shared += 1;
  // One label is a whole country, and the parts of a number no domain; a browser refuses domains that anybody may join.
  return shared < 2 || /^[\d.]+$|^\[/.test(own) ? own : labels.slice(-shared).join(".");
}
