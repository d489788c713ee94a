/**
 * Makes a request for a message take the same time with and without an account (docs/decisions/accounts.md). Reads, writes and
 * deletions of one case are also done in the other.
 */
import { createAuthMiddleware } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth/types";
import type { Database } from "../runtime/ports.ts";
import type { LibraryInput } from "./library_input.ts";
import { shareOf, takeMail } from "./mail_limits.ts";

const RESET = "/request-password-reset";
const CODE = "/email-otp/send-verification-otp";

/** Does the work that the library or a mailed link omits for one of the two cases. */
export function equalWork(input: LibraryInput) {
  const { database, project: { auth } } = input;
  const hasAccount = async (email: unknown) => {
    const sql = `SELECT 1 FROM "auth_user" WHERE "email" = ?`;
    const { rows } = await database.run({ sql, args: [String(email).toLowerCase()] });
    return rows.length > 0;
  };
  /**
   * Counts a message to an address without an account as if it were sent. Returns false if the address has reached its limit.
   */
  const countMail = async (email: unknown, headers: Headers | undefined) =>
    await takeMail(database, String(email), await shareOf(input, { headers }));
  return {
    id: "quickback-equal-work",
    hooks: {
      before: [{
        matcher: ({ path }) => path === RESET,
        handler: createAuthMiddleware(async ({ body, context: { internalAdapter } }) => {
          if (await hasAccount(body?.email)) {
            await internalAdapter.findVerificationValue("nobody");
          } else {
            await internalAdapter.findAccounts("nobody");
            await writeForNobody(database);
          }
        }),
      }, {
        // The library deletes a code that it has made for an unknown address where nobody may sign up.
        matcher: ({ path }) => path === CODE && auth.disableSignUp,
        handler: createAuthMiddleware(async ({ body }) => {
          if (await hasAccount(body?.email)) await writeForNobody(database);
        }),
      }],
      after: [{
        matcher: ({ path }) => path === RESET,
        handler: createAuthMiddleware(async ({ body, context, headers }) => {
          // For an account the message is counted and the link written in the background.
          if (await hasAccount(body?.email)) return;
          await context.runInBackgroundOrAwait((async () => {
            if (await countMail(body?.email, headers)) await writeForNobody(database);
          })());
        }),
      }, {
        matcher: ({ path }) => path === CODE && auth.disableSignUp,
        handler: createAuthMiddleware(async ({ body, context, headers }) => {
          if (await hasAccount(body?.email)) return;
          await context.runInBackgroundOrAwait(countMail(body?.email, headers));
        }),
      }],
    },
  } satisfies BetterAuthPlugin;
}

/** Commits a transaction that leaves nothing changed. */
async function writeForNobody(database: Database): Promise<void> {
  await database.write((transaction) =>
    transaction.runAll([
      {
        sql: `INSERT INTO "auth_verification"
          ("id", "identifier", "value", "expires_at", "created_at", "updated_at")
          VALUES (hex(randomblob(16)), 'nobody', '', '', '', '')`,
        args: [],
      },
      { sql: `DELETE FROM "auth_verification" WHERE "identifier" = 'nobody'`, args: [] },
    ])
  );
}
