/** The account routes, served by a library behind its port (definitions 7, "auth routes"). */
import { PASSWORD_ATTEMPTS, RETRY_AFTER_SECONDS } from "../../contract/mod.ts";
import { sha256Hex, utf8Text } from "../../lib/bytes.ts";
import { isJsonObject, type JsonObject, parsedJson } from "../../lib/json.ts";
import { ACCOUNT_MAILS, type LinkedMail, type ProjectModel } from "../../model/mod.ts";
import { authOperationsOf, isLinkRoute, passwordBucket } from "../../surface/mod.ts";
import { provesIdentity } from "../../surface/mod.ts";
import type { AuthOperation, OwnRoute } from "../../surface/mod.ts";
import type { AppContext, RequestContext } from "../context.ts";
import { claimCodeGuess, type CodeGuess } from "../data/code_guesses.ts";
import { type Admitted, refuseMissing, serviceGate, withImpersonator } from "../gate.ts";
import { requireOwnOrigin } from "../layers/1-authentication/identify.ts";
import * as grants from "../operations/client_grants.ts";
import { createDeleteOrganization } from "../operations/delete_organization.ts";
import { listOrganizationKeys, revokeOrganizationKey } from "../operations/organization_keys.ts";
import type { Accounts, LentHit } from "../ports.ts";
import { refuse, requireQuery } from "../refusal.ts";
import { requireBody } from "../request/body.ts";
import type { Router } from "../router.ts";
import { refuseByRole } from "./account_role.ts";
import { recordFailure } from "./failed_sign_in.ts";
import * as links from "./mailed_links.ts";
import { listSecurityEvents } from "./security_events.ts";
import { createPasswordLine, inTurn, type PasswordLine } from "./password_line.ts";

/** Finds the account routes, below the auth base and its alias. */
export function accountRouter(
  { project, ports: { accounts, processors = 1 }, switches }: AppContext,
): Router {
  if (accounts === null) return () => null;
  const bases = [switches.authBase, switches.authAlias].filter((base) => base !== null);
  const handlers = ownHandlers(project, accounts);
  const line = createPasswordLine(processors);
  const routes = authOperationsOf(project).map((operation) => ({
    // Its id is the path below the auth base.
    endpoint: {
      id: "accounts",
      method: operation.method,
      path: operation.path,
      // The page of a link asks for the session itself.
      gate: serviceGate(isLinkRoute(operation) ? { who: "unasked" } : operation),
      before(request: RequestContext) {
        if (isLinkRoute(operation)) links.requireLinkOrigin(request, accounts);
        else if (accounts.hasSessionCookie(request.headers)) requireOwnOrigin(request);
      },
      handle: (request: Admitted, path: string) =>
        marked(
          request,
          () => answerAccount(request, { operation, path, accounts, handlers, line }),
        ),
    },
    segments: operation.path.split("/"),
  }));
  return (path) => {
    const base = bases.find((one) => path.startsWith(`${one}/`));
    if (base === undefined) return null;
    const sent = path.slice(base.length).split("/");
    const matching = routes.filter(({ segments }) =>
      segments.length === sent.length &&
      segments.every((segment, place) =>
        segment.startsWith(":") ? sent[place] !== "" : segment === sent[place]
      )
    );
    if (matching.length === 0) return null;
    const endpoints = new Map(matching.map(({ endpoint }) => [endpoint.method, endpoint]));
    // `/auth/v1/verify-email`, `/auth/v1/reset-password/*`: what follows the first word may be a token.
    const [, name = "", ...rest] = sent;
    const route = `${switches.authBase}/${name}${rest.length > 0 ? "/*" : ""}`;
    return { route, endpoints, id: path.slice(base.length) };
  };
}

/** Routes that ask for no caller name whoever acts in one's place, too. */
async function marked(request: Admitted, answer: () => Promise<Response>): Promise<Response> {
  const { app: { project, ports: { accounts } }, headers, principal } = request;
  const isMarked = principal.credential !== "none" || !project.auth.impersonation;
  if (isMarked || !accounts?.hasSessionCookie(headers)) return await answer();
  // The refusal is logged before the answer, which may end the session.
  const caller = await accounts.session(headers);
  return withImpersonator(await answer(), caller?.impersonatedBy);
}

const IMPERSONATED = {
  code: "IMPERSONATED",
  message: "An account and its organizations are changed by their owner: stop impersonating first",
} as const;

/** One call of an account route. */
interface AccountCall {
  readonly accounts: Accounts;
  readonly handlers: OwnHandlers;
  readonly operation: AuthOperation;
  readonly line: PasswordLine;
  /** Below the auth base. */
  readonly path: string;
}

/** Answers a valid request in its turn. Refuses with `AUTH_RATE_LIMITED`, `AUTH_BUSY` and with errors of the description. */
async function answerAccount(request: Admitted, call: AccountCall): Promise<Response> {
  const { operation, path, accounts, line } = call;
  if (request.principal.impersonatedBy !== undefined && !operation.whileImpersonating) {
    return Response.json(IMPERSONATED, { status: 403 });
  }
  const refused = await refuseByRole(request, operation, accounts);
  if (refused !== null) return refused;
  const { values } = requireQuery(operation, request.search);
  const query = new URLSearchParams([...values]);
  if (operation.own === "openLink" || operation.own === "followLink") {
    return await answerLink(request, { ...call, query });
  }
  // Spelled anew from what was validated.
  const known = operation.body && await requireBody(operation.body, request.body);
  const mail = BY_TOKEN.get(path);
  if (mail !== undefined && known !== null && textAt(known, "token") !== null) {
    return await actByToken(request, { ...call, mail, body: known });
  }
  const account = known && await challengedAccount(request, operation, known);
  const attempt = account === null ? null : await passwordAttempt(request, account);
  const guess = known && await codeGuess(request, operation, known);
  const told = () => answerKnown(request, call, { query, known, attempt, guess });
  if (known === null || !hashesPassword(operation, known)) return await told();
  return await inTurn(line, { account: account ?? textAt(known, "email"), attempt }, told);
}

/** A request as its description has it, and what it counted. */
interface KnownRequest {
  readonly query: URLSearchParams;
  readonly known: JsonObject | null;
  readonly attempt: LentHit | null;
  readonly guess: CodeGuess | null;
}

/** Passes the request to the library at its one URL. The library's refusals keep their form. */
async function answerKnown(
  request: Admitted,
  { operation, path, accounts, handlers }: AccountCall,
  { query, known, attempt, guess }: KnownRequest,
): Promise<Response> {
  const { app, headers, clientIp } = request;
  const { method } = operation;
  const url = `${app.settings.baseUrl}${app.switches.authBase}${path}${
    query.size === 0 ? "" : `?${query}`
  }`;
  const body = known && JSON.stringify(known);
  const { own } = operation;
  if (own !== null && own !== "openLink" && own !== "followLink") {
    const done = await handlers[own](request, known ?? {});
    await attempt?.giveBack();
    return done;
  }
  const asked = new Request(url, { method, headers, ...(body === null ? {} : { body }) });
  if (body !== null) asked.headers.set("content-type", "application/json");
  const answer = await accounts.handle(asked, { clientIp }).catch(async (cause: unknown) => {
    await guess?.giveBack();
    // Somebody else took the address or slug between the library's read and its write.
    return links.refuseTaken(cause);
  });
  if (answer.ok) await attempt?.giveBack();
  if (answer.ok || answer.status === 429) await guess?.giveBack();
  if (answer.status >= 400) {
    await recordFailure(request, operation, { body: known, status: answer.status });
  }
  return await told(answer, operation, request);
}

/** The library's answer in the form of this API's. */
async function told(
  answer: Response,
  operation: AuthOperation,
  request: Admitted,
): Promise<Response> {
  if (answer.status === 429) {
    return provesIdentity(operation) ? refuseAttempt() : refuse("RATE_LIMITED");
  }
  // Gives the library's refusals without a body the form of this API's other refusals.
  if (answer.status < 400) {
    const told = new Response(answer.body, answer);
    // The library gives the address that a page may go to next with answers that lead nowhere, too.
    if (answer.ok) told.headers.delete("location");
    return told;
  }
  const bytes = await answer.bytes();
  if (TAKEN_SLUG.has(String(codeIn(bytes)))) {
    return refuse("DB_UNIQUE_VIOLATION", { details: { column: "slug" } });
  }
  if (codeIn(bytes) === "MEMBER_REFERENCED") {
    const body = parsedJson(utf8Text(bytes) ?? "");
    const count = isJsonObject(body) ? Number(body["count"]) : 0;
    return refuse("MEMBER_REFERENCED", { details: { count } });
  }
  if (bytes.byteLength > 0) return new Response(bytes, answer);
  switch (answer.status) {
    case 400:
      return refuse("VALIDATION_ERROR");
    case 401: {
      const isOver = request.app.ports.accounts?.hasSessionCookie(request.headers) ?? false;
      return isOver ? refuse("AUTH_INVALID_TOKEN") : refuseMissing("session");
    }
    case 404:
      return refuse("NOT_FOUND");
    default:
      throw new Error(`The account library answered ${answer.status} without a body`);
  }
}

/** Codes of the library for a slug that an organization has. */
const TAKEN_SLUG: ReadonlySet<string> = new Set([
  "ORGANIZATION_ALREADY_EXISTS",
  "ORGANIZATION_SLUG_ALREADY_TAKEN",
]);

/** The `code` of a refusal of the library; null without one. */
function codeIn(bytes: Uint8Array): string | null {
  const body = parsedJson(utf8Text(bytes) ?? "");
  return isJsonObject(body) ? textAt(body, "code") : null;
}

/** The path of a mailed link, asked as its page or its act. */
async function answerLink(
  request: Admitted,
  call: links.LinkCall & Pick<AccountCall, "line">,
): Promise<Response> {
  const { operation, accounts, line } = call;
  if (operation.method === "GET") return await links.answerLinkPage(request, call);
  const caller = await accounts.session(request.headers);
  if (caller?.impersonatedBy !== undefined) return Response.json(IMPERSONATED, { status: 403 });
  const isAnonymous = caller === null && operation.who === "session";
  if (isAnonymous && !links.isForm(request)) return refuseMissing("session");
  return await told(
    await links.answerLinkAct(request, call, attempting(request, line)),
    operation,
    request,
  );
}

/** Routes that take the token of a mailed link in their body, for pages of an application. */
const BY_TOKEN: ReadonlyMap<string, LinkedMail> = new Map([
  ["/reset-password", "resetPassword"],
  ["/delete-user", "deleteAccount"],
]);

/** Does what the link of a token in the body is for. */
async function actByToken(
  request: Admitted,
  { mail, operation, body, accounts, line }:
    & Pick<AccountCall, "operation" | "accounts" | "line">
    & { readonly mail: LinkedMail; readonly body: JsonObject },
): Promise<Response> {
  const { path } = ACCOUNT_MAILS[mail].link;
  const attempt = attempting(request, line);
  return await told(
    await links.followBody(request, { accounts, path, body }, attempt),
    operation,
    request,
  );
}

/** Counts a password that is checked for an account, when its turn has come. */
function attempting(request: RequestContext, line: PasswordLine): links.Attempt {
  return async ({ account, hashes }, check) => {
    const attempt = account === null ? null : await passwordAttempt(request, account);
    const answer = hashes ? await inTurn(line, { account, attempt }, check) : await check();
    if (answer.ok || answer.status === 303) await attempt?.giveBack();
    return answer;
  };
}

type OwnHandler = (request: Admitted, body: JsonObject) => Promise<Response>;
type OwnHandlers = Readonly<Record<Exclude<OwnRoute, "openLink" | "followLink">, OwnHandler>>;

/** Handlers of the routes that this API answers itself; an organization's belongings are more than the account library knows of. */
function ownHandlers(project: ProjectModel, accounts: Accounts): OwnHandlers {
  return {
    deleteOrganization: createDeleteOrganization(project, accounts),
    listOrganizationKeys,
    revokeOrganizationKey,
    listOrganizationGrants: grants.listOrganizationGrants,
    revokeOrganizationGrant: grants.revokeOrganizationGrant,
    listOwnGrants: grants.listOwnGrants,
    revokeOwnGrant: grants.revokeOwnGrant,
    listSecurityEvents,
  };
}

function refuseAttempt(seconds: number = RETRY_AFTER_SECONDS): never {
  return refuse("AUTH_RATE_LIMITED", { headers: { "retry-after": String(seconds) } });
}

/**
 * Counts a code that could be guessed, or refuses (contract 7.2): over all clients, for each way separately, and for unknown
 * addresses too. Null: the route takes no code, or there is no challenge.
 */
async function codeGuess(
  request: Admitted,
  { challenges }: AuthOperation,
  body: JsonObject,
): Promise<CodeGuess | null> {
  const { app: { ports: { accounts, clock, logger } }, database, headers, requestId } = request;
  const challenge = challenges.find(({ by }) => GUESSABLE.has(by));
  if (challenge === undefined) return null;
  const account = challenge.of === "email"
    ? textAt(body, "email")?.toLowerCase() ?? null
    : await accounts?.challenged(headers) ?? null;
  if (account === null) return null;
  const claimed = await claimCodeGuess(database, { way: challenge.by, account, now: clock.now() });
  if (typeof claimed === "number") return refuseAttempt(claimed);
  return {
    giveBack: () =>
      claimed.giveBack().catch((error: unknown) => {
        const message = "Accounts: a code that was right stays counted as a wrong one";
        logger.log({ level: "error", message, requestId, error });
      }),
  };
}

/** True when a hash of a password is made or checked for it. */
function hashesPassword(
  { challenges, choosesPassword }: AuthOperation,
  body: JsonObject,
): boolean {
  const members = challenges.flatMap(({ by, member }) => by === "password" ? [member] : []);
  return [...members, choosesPassword].some((name) => name !== null && textAt(body, name) !== null);
}

/** Ways in whose proof is short enough to be guessed. */
const GUESSABLE: ReadonlySet<string> = new Set(["mailedCode", "totp", "backupCode"]);

/**
 * Counts a password attempt for an account (by address), or refuses. The caller checks the password afterwards, and returns the
 * hit if it was right. Null: nothing is counted here (contract 8.1.5).
 */
async function passwordAttempt(
  { app: { ports: { limiter } }, clientIp }: RequestContext,
  account: string,
): Promise<LentHit | null> {
  if (limiter === null) return null;
  const bucket = passwordBucket(clientIp, await sha256Hex(account.trim().toLowerCase()));
  const { limit, period } = PASSWORD_ATTEMPTS;
  return await limiter.lend(bucket, limit, period) ?? refuseAttempt();
}

/** The account whose password this account route is asked to check; null: it checks none. */
async function challengedAccount(
  { app, headers }: RequestContext,
  { challenges }: AuthOperation,
  body: JsonObject,
): Promise<string | null> {
  const guessed = challenges.find(({ by, member }) =>
    by === "password" && member !== null && textAt(body, member) !== null
  );
  if (guessed === undefined) return null;
  if (guessed.of === "email") return textAt(body, "email");
  return await app.ports.accounts?.accountOf(headers) ?? null;
}

function textAt(body: JsonObject, name: string): string | null {
  const member = Object.hasOwn(body, name) ? body[name] : null;
  return typeof member === "string" ? member : null;
}
