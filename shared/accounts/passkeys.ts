/**
 * Passkeys (definitions 2, `passkeys`): the account library's plugin with stricter rules. A passkey counts as both factors,
 * because its device verifies the user. It can only be added to an account whose address is proved.
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
    // The origins are configured, and not taken from the request.
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

/** Refuses a device that did not verify its user, since it is only one factor. */
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

/** Returns the domain that passkeys are bound to: the API's own, or the parent domain that it shares with `email.appUrl`. */
export function relyingParty(
  { email: { links } }: Pick<ProjectModel, "email">,
  baseUrl: string,
): string {
  const own = new URL(baseUrl).hostname;
  const labels = own.split(".");
  const others = new URL(links?.appUrl ?? baseUrl).hostname.split(".");
  let shared = 0;
  while (shared < labels.length && labels.at(-1 - shared) === others.at(-1 - shared)) shared += 1;
  // A single label is a whole top-level domain, and a part of an IP address is no domain. Browsers refuse public suffixes.
  return shared < 2 || /^[\d.]+$|^\[/.test(own) ? own : labels.slice(-shared).join(".");
}
