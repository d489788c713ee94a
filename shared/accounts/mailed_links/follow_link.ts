/**
 * Follows the link of a message (decisions/accounts.md): checks who may, uses up the link, and acts. Only an act that succeeds
 * uses up a link.
 */
import type { RuntimeCode } from "../../contract/mod.ts";
import { ACCOUNT_MAILS } from "../../model/mod.ts";
import type { Database, FollowedLink } from "../../runtime/ports.ts";
import type { Session } from "../sessions.ts";
import type { LinkActs, LinkAnswer } from "./link_acts.ts";
import { type LinkRow, openLinkOf, putLinkBack, takeLink } from "./link_rows.ts";

export interface FollowMeans {
  readonly database: Database;
  /** Returns the session of a person who signed in; null for an impersonator. */
  readonly sessionOf: (headers: Headers) => Promise<Pick<Session, "userId" | "email"> | null>;
  readonly acts: () => Promise<LinkActs>;
  /** True when messages are really sent, so that an address can be proved. */
  readonly sendsMail: boolean;
}

export async function followLink(means: FollowMeans, asked: FollowedLink): Promise<LinkAnswer> {
  if (asked.token === null) return await acceptById(means, asked);
  const link = await openLinkOf(means.database, asked.path, asked.token);
  if (link === null) return "LINK_INVALID";
  const refusal = await refusalOf(link, asked, means);
  if (refusal !== null) return refusal;
  const acts = await means.acts();
  const act = acts[link.act];
  // The library uses up such a link together with its sign-in.
  if (link.act === "magicLink") return await act(link, asked);
  const taken = await takeLink(means.database, link);
  if (taken === null) return "LINK_INVALID";
  let answer: LinkAnswer | null = null;
  try {
    return answer = await act(link, asked);
  } finally {
    const isDone = answer instanceof Response && answer.ok;
    if (!isDone) await putLinkBack(means.database, taken);
  }
}

/** Returns the refusal of a caller; null: the caller may follow the link. */
async function refusalOf(
  link: LinkRow,
  asked: FollowedLink,
  means: FollowMeans,
): Promise<RuntimeCode | null> {
  const { proof } = ACCOUNT_MAILS[link.act].link;
  if (proof === "mailbox" || (proof === "confirmation" && asked.takeOver)) return null;
  const session = await means.sessionOf(asked.headers);
  const isOwn = proof === "recipient"
    ? session?.email === link.email
    : session !== null && session.userId === link.userId;
  if (isOwn) return null;
  if (asked.password !== null && link.userId !== null) {
    const { isPassword } = await means.acts();
    return await isPassword(link.userId, asked.password) ? null : "AUTH_INVALID_TOKEN";
  }
  // Somebody who did not make the account may still take it over.
  return session === null || proof === "confirmation"
    ? "AUTH_SESSION_REQUIRED"
    : "FIREWALL_USER_ISOLATION";
}

/** Accepts an invitation by its id. The inviter knows the id too, so it does not prove the address. */
async function acceptById(means: FollowMeans, asked: FollowedLink): Promise<LinkAnswer> {
  const session = await means.sessionOf(asked.headers);
  if (session === null) return "AUTH_MISSING";
  const { invitation, isProved } = await means.acts();
  if (means.sendsMail && !await isProved(session.userId)) return "EMAIL_UNVERIFIED";
  return await invitation({ invitationId: asked.invitationId ?? "" }, asked);
}
