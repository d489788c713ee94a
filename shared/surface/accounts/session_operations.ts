/** Routes of one's own sessions and account. */
import { z } from "zod";
import { orNull } from "../schema/zod_json.ts";
import { read, write } from "./define.ts";
import { MEMBER, QUERY } from "./members.ts";
import type { AuthOperation } from "./operation.ts";
import { described, listOf, object, SESSION, STATUS, SUCCESS, USER } from "./records.ts";

const { callbackURL, password, token } = MEMBER;

const DELETION = object(["success"], {
  message: {
    type: "string",
    description: "What was done: a message sent, or the account deleted.",
  },
});

export const SESSION_OPERATIONS: readonly AuthOperation[] = [
  write({
    id: "authSignOut",
    path: "/sign-out",
    summary: "End the session",
    who: "unasked",
    refusals: [400, 403],
  }, SUCCESS),
  read(
    {
      id: "authGetSession",
      path: "/get-session",
      summary: "Read the session and its user; null without one",
      who: "unasked",
      query: z.object({
        disableRefresh: QUERY.flag.describe("Whether the session is only read.").optional(),
      }),
      refusals: [400, 403],
    },
    orNull(object([], {
      session: described("The session.", SESSION),
      user: described("The account.", USER),
    })),
  ),
  read({
    id: "authListSessions",
    path: "/list-sessions",
    summary: "List the caller's sessions",
  }, listOf("The sessions.", SESSION)),
  write({
    id: "authRevokeSession",
    path: "/revoke-session",
    summary: "End one of the caller's sessions",
    takes: { token },
    bodyExample: { token: "<session_token>" },
  }, STATUS),
  write({
    id: "authRevokeSessions",
    path: "/revoke-sessions",
    summary: "End all of the caller's sessions, this one too",
  }, STATUS),
  write({
    id: "authRevokeOtherSessions",
    path: "/revoke-other-sessions",
    summary: "End all of the caller's sessions but this one",
  }, STATUS),
  write({
    id: "authUpdateUser",
    path: "/update-user",
    summary: "Change the caller's name or picture",
    takes: {
      name: MEMBER.name.optional(),
      image: MEMBER.image.nullable().optional(),
    },
    bodyExample: { name: "Jane Doe" },
  }, STATUS),
  write({
    id: "authDeleteUser",
    path: "/delete-user",
    summary: "Delete the caller's account: with the token of the message that is sent without one",
    takes: {
      password: password.optional(),
      token: token.optional(),
      callbackURL: callbackURL.optional(),
    },
    refusals: [400, 401, 403, 404, 409],
  }, DELETION),
  read({
    id: "authConfirmDeleteUser",
    path: "/delete-user/callback",
    summary: "Follow the link of that message, signed in: the account is gone",
    who: "unasked",
    query: z.object({ token, callbackURL: callbackURL.optional() }),
    redirects: true,
    refusals: [400, 401, 403, 404, 409],
  }, DELETION),
];
