/**
 * The acts of mailed links, carried out by the account library (decisions/accounts.md). The caller has checked that each may
 * happen.
 */
import { isAPIError } from "better-auth/api";
import { generateRandomString } from "better-auth/crypto";
import type { AuthContext, User } from "better-auth";
import { CONTRACT_VERSIONS, type RuntimeCode } from "../../contract/mod.ts";
import type { LinkedMail } from "../../model/mod.ts";
import type { FollowedLink } from "../../runtime/ports.ts";
import type { LibraryInput } from "../library_input.ts";
import { leaveOrganizations } from "../last_owner.ts";
import { takeOverNotice } from "../account_mails.ts";
import { confirmAddress, takeOverAccount } from "../credentials/prove_account.ts";
import { recordedScene } from "../security_log/record_acts.ts";
import { keepLink, keepOwnToken, type LinkRow, type NewLink } from "./link_rows.ts";

/** One act for each kind of link. */
export type LinkActs =
  & Readonly<Record<LinkedMail, LinkAct>>
  & {
    invitation(
      link: Pick<LinkRow, "invitationId"> & Partial<LinkRow>,
      asked: FollowedLink,
    ): Promise<LinkAnswer>;
    isPassword(userId: string, password: string): Promise<boolean>;
    isProved(userId: string): Promise<boolean>;
  };

type LinkAct = (link: LinkRow, asked: FollowedLink) => Promise<LinkAnswer>;

interface LibraryContext {
  readonly internalAdapter: AuthContext["internalAdapter"];
  readonly password: Pick<AuthContext["password"], "verify">;
}

export interface ActMeans {
  readonly input: Pick<LibraryInput, "database" | "project" | "settings" | "email" | "watch">;
  readonly library: {
    handler(request: Request): Promise<Response>;
    readonly $context: Promise<LibraryContext>;
  };
  /** Returns a user in the form of the library's answers. */
  readonly toldUser: (user: User) => object;
}

/** Stores a new link and returns its token. */
export async function openLink(
  { database }: Pick<LibraryInput, "database">,
  link: NewLink,
): Promise<string> {
  const token = newToken();
  await keepLink(database, token, link);
  return token;
}

/** Makes a token of at least 256 bits. */
function newToken(): string {
  return generateRandomString(48, "a-z", "A-Z", "0-9");
}

export function linkActs(means: ActMeans): LinkActs {
  const { input: { database }, library, toldUser } = means;
  return {
    verifyEmail: (link, asked) => verifyEmail(means, link, asked),
    async changeEmail({ userId, newEmail }) {
      const account = userId ?? lost();
      const { internalAdapter } = await library.$context;
      const user = await internalAdapter.updateUser(account, {
        email: newEmail ?? lost(),
        emailVerified: true,
      });
      return Response.json({ status: true, user: toldUser(user) });
    },
    async resetPassword({ userId }, { newPassword }) {
      const account = userId ?? lost();
      const token = newToken();
      await keepOwnToken(database, `reset-password:${token}`, account);
      return await posted(means, "/reset-password", { token, newPassword });
    },
    deleteAccount: (link, asked) => deleteAccount(means, link, asked),
    magicLink: (_link, asked) => signInByLink(means, asked),
    invitation: (link, asked) => acceptInvitation(means, link, asked),
    async isPassword(userId, password) {
      const context = await library.$context;
      const account = await context.internalAdapter.findCredentialAccount(userId);
      return typeof account?.password === "string" &&
        await context.password.verify({ hash: account.password, password });
    },
    async isProved(userId) {
      const { internalAdapter } = await library.$context;
      return (await internalAdapter.findUserById(userId))?.emailVerified ?? false;
    },
  };
}

/** Confirms the address of an account, or takes the account over for whoever has the address. */
async function verifyEmail(
  means: ActMeans,
  { userId, email }: LinkRow,
  { takeOver }: FollowedLink,
): Promise<LinkAnswer> {
  const { input } = means;
  const { database, project } = input;
  const account = userId ?? lost();
  if (!takeOver) {
    await confirm(means, account);
    return Response.json({ status: true, user: null });
  }
  const scene = recordedScene(input);
  const taken = await database.write((transaction) => takeOverAccount(scene(transaction), account));
  // Another proof used up the link first.
  if (taken === null) return "LINK_INVALID";
  await input.email.send(takeOverNotice(project, taken));
  const resetToken = await openLink({ database }, { act: "resetPassword", email, user: account });
  return Response.json({ status: true, user: null, resetToken });
}

async function deleteAccount(
  means: ActMeans,
  { userId }: LinkRow,
  { headers }: FollowedLink,
): Promise<LinkAnswer> {
  const { input: { database, project }, library } = means;
  const account = userId ?? lost();
  const { internalAdapter } = await library.$context;
  try {
    if (project.multiTenant) await leaveOrganizations(database, account);
  } catch (error) {
    if (isAPIError(error)) return Response.json(error.body, { status: error.statusCode });
    throw error;
  }
  await internalAdapter.deleteUser(account);
  await internalAdapter.deleteUserSessions(account);
  await internalAdapter.deleteAccounts(account);
  const { headers: ended } = await posted(means, "/sign-out", {}, headers);
  return withCookies(Response.json({ success: true, message: "User deleted" }), ended);
}

async function signInByLink(means: ActMeans, asked: FollowedLink): Promise<LinkAnswer> {
  const path = `/magic-link/verify?${new URLSearchParams({ token: asked.token ?? "" })}`;
  const answer = await means.library.handler(
    new Request(addressOf(means, path), { headers: asked.headers }),
  );
  if (answer.status !== 302) return answer;
  const failed = new URL(answer.headers.get("location") ?? "", means.input.settings.baseUrl);
  const code = failed.searchParams.get("error") ?? "";
  if (code === "INVALID_TOKEN") return "LINK_INVALID";
  const message = failed.searchParams.get("error_description") ?? "Nobody was signed in";
  return Response.json({ code: code.toUpperCase(), message }, { status: 403 });
}

/** Accepts an invitation for the caller, or for whoever enters the password of its address. */
async function acceptInvitation(
  means: ActMeans,
  { invitationId, userId, isProved, email }: Parameters<LinkActs["invitation"]>[0],
  { headers, password }: FollowedLink,
): Promise<LinkAnswer> {
  const entered = password === null || email === undefined
    ? null
    : await posted(means, "/sign-in/email", { email, password }, withoutCookie(headers));
  if (entered?.ok === false) return entered;
  const caller = entered === null ? headers : withSession(headers, entered);
  const body = { invitationId };
  const answer = await posted(means, "/organization/accept-invitation", body, caller);
  if (answer.ok && isProved === false && userId) await confirm(means, userId);
  return entered === null ? answer : withCookies(answer, entered.headers);
}

async function confirm({ input }: ActMeans, userId: string): Promise<void> {
  const scene = recordedScene(input);
  await input.database.write((transaction) => confirmAddress(scene(transaction), userId));
}

function lost(): never {
  throw new Error("A link of an account was kept without what it is for");
}

function addressOf(
  { input: { project, settings } }: ActMeans,
  path: string,
): string {
  return settings.baseUrl + CONTRACT_VERSIONS[project.contract].authBase + path;
}

/** Sends a request of our own to the library, with the caller's headers. */
async function posted(
  means: ActMeans,
  path: string,
  body: object,
  headers: Headers = new Headers(),
): Promise<Response> {
  const sent = new Headers(headers);
  sent.set("content-type", "application/json");
  sent.set("origin", means.input.settings.baseUrl);
  sent.delete("content-length");
  const init = { method: "POST", headers: sent, body: JSON.stringify(body) };
  return await means.library.handler(new Request(addressOf(means, path), init));
}

function withoutCookie(headers: Headers): Headers {
  const sent = new Headers(headers);
  sent.delete("cookie");
  return sent;
}

/** Returns the headers with the cookies that a sign-in has just set. */
function withSession(headers: Headers, entered: Response): Headers {
  const sent = new Headers(headers);
  sent.set("cookie", entered.headers.getSetCookie().map((line) => line.split(";")[0]).join("; "));
  return sent;
}

/** Returns the answer with an earlier answer's cookies before its own, which take precedence. */
function withCookies(answer: Response, earlier: Headers): Response {
  const both = new Response(answer.body, answer);
  const own = both.headers.getSetCookie();
  both.headers.delete("set-cookie");
  for (const cookie of [...earlier.getSetCookie(), ...own]) {
    both.headers.append("set-cookie", cookie);
  }
  return both;
}
/** The answer of the act, or the code of its refusal. */
export type LinkAnswer = Response | RuntimeCode;
