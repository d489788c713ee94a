/**
 * The paths that mailed links lead to (decisions/accounts.md): GET and HEAD tell what a link is for and change nothing, POST does it, for
 * programs by JSON and for the page by its form. Refuses with `LINK_INVALID`, `AUTH_SESSION_REQUIRED`, `AUTH_INVALID_TOKEN`,
 * `FIREWALL_USER_ISOLATION`, `EMAIL_UNVERIFIED`, `ORIGIN_FORBIDDEN`, and with what any body is refused with.
 */
import { PASSWORD_LENGTH, RUNTIME_CODES, type RuntimeCode } from "../../contract/mod.ts";
import { prefersJson } from "../../lib/http.ts";
import { isJsonObject, type JsonObject, parsedJson } from "../../lib/json.ts";
import { ACCOUNT_MAILS } from "../../model/mod.ts";
import { type AuthOperation, FORM_MEDIA_TYPE } from "../../surface/mod.ts";
import type { RequestContext } from "../context.ts";
import { type Admitted, refuseMissing } from "../gate.ts";
import { requireOwnOrigin } from "../layers/1-authentication/identify.ts";
import { type Accounts, ConstraintError, type FollowedLink, type MailedLink } from "../ports.ts";
import { Refusal, refuse } from "../refusal.ts";
import { formIn, mediaTypeOf, requireFields } from "../request/body.ts";
import { isTrustedOrigin } from "../request/read_request.ts";
import { jsonResponse } from "../response/record.ts";
import * as pages from "../response/pages/link_pages.ts";
import { type Wording, wordingOf } from "../response/pages/wording.ts";

/** Headers by which a browser says where a request comes from. */
const SAYS_WHERE_FROM = ["origin", "referer", "sec-fetch-site"] as const;

/**
 * Refuses a foreign page, which could sign a visitor in to its own account. Unlike other routes these check the origin even
 * without a cookie. A program sends none.
 */
export function requireLinkOrigin(request: RequestContext, accounts: Accounts): void {
  const { headers } = request;
  const isSaid = SAYS_WHERE_FROM.some((name) => headers.get(name) !== null);
  if (isSaid || accounts.hasSessionCookie(headers)) requireOwnOrigin(request);
}

/** One call at the path of a mailed link. */
export interface LinkCall {
  readonly accounts: Accounts;
  readonly operation: AuthOperation;
  /** Below the auth base, as it was asked. */
  readonly path: string;
  /** The known parameters of the query. */
  readonly query: URLSearchParams;
}

const PAGES = ["callbackURL", "newUserCallbackURL", "errorCallbackURL"] as const;
type NextPages = Readonly<Partial<Record<(typeof PAGES)[number], string>>>;

/** Tells what a link is for. */
export async function answerLinkPage(request: Admitted, call: LinkCall): Promise<Response> {
  const { accounts, operation, query } = call;
  const next = trustedPages(request, (name) => query.get(name));
  const token = tokenInPath(call) ?? query.get("token") ?? "";
  const link = await accounts.mailedLink(operation.path, token);
  if (prefersJson(request.headers.get("accept"))) {
    if (link === null) return refuse("LINK_INVALID");
    const { hasAccount: _, ...told } = link;
    return jsonResponse(JSON.stringify(told), 200);
  }
  const wording = wordingOf(request.app.project, request.headers);
  if (link === null) {
    return refusedBy("LINK_INVALID", request, await pages.invalidLinkPage(wording));
  }
  return await pages.linkPage(await pageFor(request, { ...call, link, token, next, wording }));
}

async function pageFor(
  request: Admitted,
  call: LinkCall & {
    readonly link: MailedLink;
    readonly token: string;
    readonly next: NextPages;
    readonly wording: Wording;
  },
): Promise<pages.LinkPage> {
  const { accounts, link, token, next, wording } = call;
  const { app, headers } = request;
  const session = await accounts.signedIn(headers);
  const isOwn = session?.user.email.toLowerCase() === link.email;
  const inPath = tokenInPath(call) !== null;
  return {
    wording,
    link,
    action: `${app.switches.authBase}${call.path}`,
    hidden: { ...(inPath ? {} : { token }), ...next },
    signedIn: session === null ? "nobody" : isOwn ? "account" : "other",
    hasPasswords: app.project.auth.emailAndPassword,
    leadsTo: URL.parse(next.callbackURL ?? "")?.href,
  };
}

/** The token that the path itself has; null: it stands in the query or the body. */
function tokenInPath({ operation, path }: LinkCall): string | null {
  const place = operation.path.split("/").findIndex((segment) => segment.startsWith(":"));
  return place === -1 ? null : path.split("/")[place] ?? "";
}

/** Does what a link is for. `answered` counts a password, and gives the library's answer its form. */
export async function answerLinkAct(
  request: Admitted,
  call: LinkCall,
  attempt: Attempt,
): Promise<Response> {
  const form = await fieldsIn(request);
  const wording = wordingOf(request.app.project, request.headers);
  const token = tokenInPath(call) ?? textAt(form ?? {}, "token") ?? "";
  try {
    const sent = form ?? await request.body.object();
    const body = requireFields<JsonObject>(call.operation.body ?? refuse("NOT_FOUND"), sent);
    return await acted(request, { ...call, body, isForm: form !== null, wording }, attempt);
  } catch (error) {
    if (form === null || !(error instanceof Refusal)) throw error;
    return await refusedForm(request, { ...call, form, token, wording }, error);
  }
}

/** Runs what checks a password, within the limit of guesses at that account; `hashes`: one is checked or chosen. */
export type Attempt = (
  about: { readonly account: string | null; readonly hashes: boolean },
  check: () => Promise<Response>,
) => Promise<Response>;

async function acted(
  request: Admitted,
  call: LinkCall & {
    readonly body: JsonObject;
    readonly isForm: boolean;
    readonly wording: Wording;
  },
  attempt: Attempt,
): Promise<Response> {
  const { accounts, operation, body, isForm } = call;
  const next = trustedPages(request, (name) => textAt(body, name));
  const token = tokenInPath(call) ?? textAt(body, "token");
  const asked = { accounts, path: operation.path, body, token };
  if (!isForm) return await followBody(request, asked, attempt);
  return await followBody(
    request,
    asked,
    attempt,
    (answer, link) => formAnswer(request, answer, { ...call, link, next }),
  );
}

/** Follows the link that a body names; `written` gives the answer another form. */
export async function followBody(
  request: Admitted,
  { accounts, path, body, token = textAt(body, "token") }: {
    readonly accounts: Accounts;
    /** Of the link, as its record has it. */
    readonly path: string;
    readonly body: JsonObject;
    /** Absent: the body has it. */
    readonly token?: string | null;
  },
  attempt: Attempt,
  written?: (answer: Response, link: MailedLink) => Promise<Response>,
): Promise<Response> {
  const invitationId = textAt(body, "invitationId");
  const link = token === null ? null : await accounts.mailedLink(path, token);
  if (link === null && (token !== null || invitationId === null)) return refuse("LINK_INVALID");
  const password = textAt(body, "password");
  const followed: FollowedLink = {
    path,
    token,
    invitationId,
    password,
    newPassword: textAt(body, "newPassword"),
    takeOver: body["takeOver"] === true,
    headers: request.headers,
  };
  const about = {
    account: password === null ? null : link?.email ?? null,
    hashes: password !== null || followed.newPassword !== null,
  };
  return await attempt(about, async () => {
    const answer = await accounts.followLink(followed, { clientIp: request.clientIp }).catch(
      refuseTaken,
    );
    if (typeof answer === "string") return refuseLink(answer);
    return link === null || !written ? answer : await written(answer, link);
  });
}

/** An address that somebody else took between the library's look and its write. */
export function refuseTaken(cause: unknown): never {
  const isTaken = cause instanceof ConstraintError && cause.kind === "unique";
  if (isTaken) return refuse("DB_UNIQUE_VIOLATION", { cause });
  throw cause;
}

function refuseLink(code: RuntimeCode): never {
  if (code === "AUTH_MISSING") return refuseMissing("session");
  return refuse(code, { hint: HINTS[code] ?? RUNTIME_CODES[code].hint });
}

const HINTS: Readonly<Partial<Record<RuntimeCode, string>>> = {
  AUTH_SESSION_REQUIRED: "Send the session cookie of the link's account, or its 'password'",
  AUTH_INVALID_TOKEN: "Send the password of the link's account",
  FIREWALL_USER_ISOLATION: "Sign in to the account that the link is for, or send its 'password'",
};

/** What a browser is led to after its form. */
async function formAnswer(
  request: Admitted,
  answer: Response,
  { link, next, wording }: {
    readonly link: MailedLink;
    readonly next: NextPages;
    readonly wording: Wording;
  },
): Promise<Response> {
  const parsed = parsedJson(await answer.text());
  const told = isJsonObject(parsed) ? parsed : {};
  if (!answer.ok) {
    const { errorCallbackURL } = next;
    if (errorCallbackURL !== undefined) {
      return ledTo(request, errorCallbackURL, { error: String(told["code"]) }, answer);
    }
    const message = String(told["message"] ?? RUNTIME_CODES.LINK_INVALID.title);
    return await pages.refusedPage(wording, { status: answer.status, message });
  }
  const { resetToken, twoFactorRedirect } = told;
  if (typeof resetToken === "string") {
    const path = ACCOUNT_MAILS.resetPassword.link.path.replace(":token", resetToken);
    return ledTo(request, request.app.switches.authBase + path, next, answer);
  }
  const isAsked = twoFactorRedirect === true;
  const page = (link.hasAccount ? null : next.newUserCallbackURL) ?? next.callbackURL;
  if (page !== undefined) {
    return ledTo(request, page, isAsked ? { twoFactorRedirect: "true" } : {}, answer);
  }
  const shown = isAsked
    ? await pages.secondFactorPage(wording)
    : await pages.donePage(wording, link.act);
  return withCookies(shown, answer);
}

function ledTo(
  { app: { settings } }: Admitted,
  page: string,
  more: Readonly<Record<string, string | undefined>>,
  answer: Response,
): Response {
  const url = new URL(page, settings.baseUrl);
  for (const [name, value] of Object.entries(more)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  const headers = { location: url.href, "cache-control": "no-store" };
  return withCookies(new Response(null, { status: 303, headers }), answer);
}

function withCookies(response: Response, from: Response): Response {
  for (const cookie of from.headers.getSetCookie()) response.headers.append("set-cookie", cookie);
  return response;
}

/** The page again, with what was wrong. */
async function refusedForm(
  request: Admitted,
  call: LinkCall & { readonly form: JsonObject; readonly token: string; readonly wording: Wording },
  { code, message }: Refusal,
): Promise<Response> {
  const { accounts, operation, token, wording, form } = call;
  const { status } = RUNTIME_CODES[code];
  const told = (page: Response) => refusedBy(code, request, page);
  if (code === "ORIGIN_FORBIDDEN") {
    return told(await pages.refusedPage(wording, { status, message }));
  }
  const link = await accounts.mailedLink(operation.path, token);
  if (link === null) return told(await pages.invalidLinkPage(wording));
  const next = trustedPages(request, (name) => textAt(form, name));
  const page = await pageFor(request, { ...call, link, next });
  const problem = problemOf(code, link, wording);
  return told(await pages.linkPage({ ...page, status, problem }));
}

/** Notes the code for logs, which a page does not show. */
function refusedBy(code: RuntimeCode, { app }: Admitted, page: Response): Response {
  app.refusals?.set(page, code);
  return page;
}

function problemOf(code: RuntimeCode, { act }: MailedLink, { says }: Wording): string {
  const { min, max } = PASSWORD_LENGTH;
  switch (code) {
    case "AUTH_RATE_LIMITED":
    case "RATE_LIMITED":
      return says("problem.tooMany");
    case "AUTH_INVALID_TOKEN":
      return says("problem.password");
    case "AUTH_SESSION_REQUIRED":
    case "FIREWALL_USER_ISOLATION":
      return says("problem.passwordNeeded");
    default:
      return act === "resetPassword" && code === "VALIDATION_ERROR"
        ? says("problem.newPassword", { min: String(min), max: String(max) })
        : RUNTIME_CODES[code].title;
  }
}

/** The pages that may come next. Refuses with `ORIGIN_FORBIDDEN`. */
function trustedPages(
  { app }: RequestContext,
  read: (name: string) => string | null,
): NextPages {
  return Object.fromEntries(PAGES.flatMap((name) => {
    const page = read(name) ?? "";
    if (page === "") return [];
    const url = URL.parse(page, app.settings.baseUrl);
    const isHttp = url !== null && /^https?:$/.test(url.protocol);
    if (isHttp && isTrustedOrigin(url.origin, app)) return [[name, page]];
    return refuse("ORIGIN_FORBIDDEN", { detail: `The origin of '${name}' is not trusted` });
  }));
}

/** True when a page's form is sent. */
export function isForm(request: RequestContext): boolean {
  return mediaTypeOf(request) === FORM_MEDIA_TYPE;
}

/** The values of the page's form; null: the body is something else. Empty fields are none. */
async function fieldsIn(request: RequestContext): Promise<JsonObject | null> {
  const values = await formIn(request);
  return values && Object.fromEntries(
    [...values].filter(([, value]) => value !== "")
      .map(([name, value]) => [name, name === "takeOver" ? value === "true" : value]),
  );
}

function textAt(body: JsonObject, name: string): string | null {
  const member = Object.hasOwn(body, name) ? body[name] : null;
  return typeof member === "string" ? member : null;
}
