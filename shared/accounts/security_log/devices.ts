/**
 * Devices that an account was signed in from, as a signed cookie of their browsers says (docs/decisions/accounts.md, "Security
 * events"). The plugin also sends a request's notices at its end.
 */
import { createAuthMiddleware, isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth/types";
import { sha256Hex } from "../../lib/bytes.ts";
import { sendsNotices } from "../../model/mod.ts";
import type { LibraryInput } from "../library_input.ts";
import { sendNotice } from "./notices.ts";
import { currentAnswering, originIn } from "./record_acts.ts";
import { noticeSignIn } from "./security_log.ts";

const DEVICE_MAX_AGE_SECONDS = 400 * 24 * 60 * 60;

/** Most accounts that one browser is known for. One more forgets the oldest. */
const ACCOUNTS_MAX = 8;

/** A sign-up sends no notice to the person who has just made the account. */
const SIGN_UP = "/sign-up/email";

/** Makes the plugin. It must be the last one, because it looks at the session after all others. */
export function devicesPlugin(input: LibraryInput) {
  const { database, project } = input;
  const notifies = sendsNotices(project.email);
  return {
    id: "quickback-devices",
    hooks: {
      before: [{
        matcher: ({ request }) => request !== undefined,
        handler: createAuthMiddleware(async ({ headers }) => {
          (await currentAnswering()).origin ??= originIn(headers);
        }),
      }],
      // This also runs for calls from the server side, whose surrounding request may end without it.
      after: [{
        matcher: () => true,
        handler: createAuthMiddleware(async (ctx) => {
          const { newSession, returned } = ctx.context;
          const { notices, signIns, origin } = await currentAnswering();
          const eventId = newSession && signIns.get(newSession.session.id);
          if (notifies && newSession && eventId !== undefined && eventId !== null) {
            const isKnown = await recognize(ctx, newSession.user.id);
            const isNew = !isKnown && ctx.path !== SIGN_UP;
            const notice = isNew
              ? await database.write((transaction) =>
                noticeSignIn(transaction, eventId, newSession.user.email)
              )
              : null;
            if (notice !== null) notices.push(notice);
          }
          const isRefused = isAPIError(returned) && returned.statusCode >= 400;
          const languages = origin?.languages ?? null;
          for (const notice of notices.splice(0)) {
            if (!isRefused) sendNotice(input, notice, languages);
          }
        }),
      }],
    },
  } satisfies BetterAuthPlugin;
}

/** True when the request's browser has signed in to the account before. Remembers it from now on. */
async function recognize(
  ctx: Parameters<Parameters<typeof createAuthMiddleware>[0]>[0],
  userId: string,
): Promise<boolean> {
  const { name, attributes } = ctx.context.createAuthCookie("device", {
    maxAge: DEVICE_MAX_AGE_SECONDS,
  });
  const { secret } = ctx.context;
  const kept = await ctx.getSignedCookie(name, secret) || "";
  const accounts = kept.split(".").filter((account) => account !== "");
  const account = (await sha256Hex(userId)).slice(0, 16);
  const others = accounts.filter((other) => other !== account).slice(0, ACCOUNTS_MAX - 1);
  await ctx.setSignedCookie(name, [account, ...others].join("."), secret, attributes);
  return others.length < accounts.length && accounts.includes(account);
}
