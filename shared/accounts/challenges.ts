/** Finds the account of a first factor that waits for the second (definitions 2, `twoFactor`). */
import type { Reader } from "../runtime/ports.ts";
import { twoFactorCookie } from "./library_request.ts";
import { textOf } from "./memberships.ts";
import type { CookieProof } from "./sessions.ts";

/** Returns a reader of the account id in the first-factor cookie of a request; it gives null without such a cookie. */
export function challengeReader(
  { reader, baseUrl, proved }: {
    readonly reader: Reader;
    readonly baseUrl: string;
    readonly proved: CookieProof;
  },
): (headers: Headers) => Promise<string | null> {
  const isSecure = baseUrl.startsWith("https://");
  return async (headers) => {
    const value = twoFactorCookie(headers, isSecure);
    const identifier = value === null ? null : await proved(value);
    if (identifier === null) return null;
    const sql = `SELECT "value" FROM "auth_verification" WHERE "identifier" = ?
      ORDER BY "created_at" DESC LIMIT 1`;
    return textOf((await reader.run({ sql, args: [identifier] })).rows[0]?.[0]);
  };
}
