/**
 * Identifies the caller (contract 5.1, 5.2). One credential decides, and all others must prove the same user. An invalid
 * credential is refused on PUBLIC routes too, and never treated as anonymous. Refuses with `AUTH_INVALID_TOKEN`,
 * `AUTH_EXPIRED`, `AUTH_RATE_LIMITED`, `AUTH_REVOCATION_UNAVAILABLE`, `ORIGIN_FORBIDDEN` and, for an API key with a limit,
 * `RATE_LIMITED`.
 */
import { FAILED_ATTEMPTS, HEADERS, RETRY_AFTER_SECONDS } from "../../../contract/mod.ts";
import { type Soon, soon } from "../../../lib/soon.ts";
import { memo } from "../../../lib/memo.ts";
import { ANONYMOUS, type Principal, type ProjectModel } from "../../../model/mod.ts";
import { failedAttemptsBucket, grantsOf, MCP_PATH, type Who } from "../../../surface/mod.ts";
import type { PurgedOrganizations, RequestContext } from "../../context.ts";
import type { Accounts, ClientGrant, CredentialVerdict, Ports, Settings } from "../../ports.ts";
import { DatabaseUnavailableError } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { asksForWebSocket, isTrustedOrigin } from "../../request/read_request.ts";
import { createTokenVerifier, rememberingTokens, type TokenVerdict } from "./bearer_token.ts";
import { type ClientToken, takesClients } from "./client_token.ts";
import { createVerifyDelegated, type VerifierHome } from "./delegated.ts";
import { refusingRevoked, type Revocations } from "./revocation.ts";
import { requireFreshRights } from "./rights_age.ts";
import { type StandingCallers, standingCallers } from "./standing.ts";
import { refusingCutOff, type TokenCutoffs } from "./token_cutoffs.ts";
import { RequestCredential, TokenJudge, VerifyToken } from "./request_credential.ts";

/** Identifies the caller by the credentials that count for `who`. */
export type Identify = (
  request: RequestContext,
  who: Exclude<Who, "unasked">,
) => Soon<Principal>;
/** Judges callers of requests, and callers of answers that outlive their requests. */
export interface Callers {
  readonly identify: Identify;
  readonly standing: StandingCallers;
}

const CALLERS_REMEMBERED_MAX = 1000;

const INVALID = { kind: "refused", code: "AUTH_INVALID_TOKEN" } as const;
/** A valid token in a deleted organization. It is refused for its whole life, and is not counted as a guess. */
const OF_NOWHERE = { kind: "refused", code: "FIREWALL_ORG_ISOLATION" } as const;

interface IdentifyOptions {
  readonly ports: Ports;
  readonly settings: Settings;
  /** Revoked tokens; null: tokens cannot be revoked. */
  readonly revocations: Revocations | null;
  readonly cutoffs: TokenCutoffs;
  readonly purged: PurgedOrganizations;
  /** The verifiers of the project's delegated principals, with their `env` and database. */
  readonly home: VerifierHome;
}

/**
 * Builds the judge of callers, one per application: keys are imported once. Throws when the secret is too short or a verifier
 * is missing.
 */
export function createCallers(project: ProjectModel, options: IdentifyOptions): Callers {
  const { accounts } = options.ports;
  const tokens = tokenJudge(project, options);
  const verifyDelegated = createVerifyDelegated(project.auth, options.home);
  const callers = memo<CredentialVerdict>(CALLERS_REMEMBERED_MAX);
  // Each request proves the credential anew, but equal callers share one object, because operations cache by it.
  const asKnown = (verdict: CredentialVerdict) =>
    verdict.kind === "principal"
      ? callers(JSON.stringify(verdict.principal), () => verdict)
      : verdict;
  const ofClient = async (token: ClientToken, { path }: RequestContext) =>
    token.audience === "mcp" && path !== MCP_PATH || !accounts
      ? INVALID
      : clientVerdict(token, await accounts.clientGrant(token.grantId));
  const judged = (
    credential: RequestCredential,
    request: RequestContext,
  ): Soon<CredentialVerdict> => {
    switch (credential.kind) {
      case "other":
        return verifyDelegated(credential.authorization, request);
      case "bearer":
        return soon(
          tokens?.judge(credential.token) ?? INVALID,
          (verdict) =>
            verdict.kind === "client" ? soon(ofClient(verdict.token, request), asKnown) : verdict,
        );
      case "apiKey":
        return soon(accounts?.apiKey(credential.key) ?? INVALID, asKnown);
      case "session":
        return soon(
          accounts?.session(request.headers) ?? null,
          (principal) => principal === null ? INVALID : asKnown({ kind: "principal", principal }),
        );
    }
  };
  const fresh = () => requireFreshRights(options.ports, options.settings);
  const proven = (credential: RequestCredential, request: RequestContext) => {
    const known = credential.kind !== "bearer" ? fresh() : requireFreshRevocations(options);
    return soon(
      soon(known, () => judged(credential, request)),
      (verdict) =>
        verdict.kind === "principal" ? verdict.principal : refuseUnproven(verdict, request),
    );
  };
  const identify: Identify = (request, who) => {
    const sent = credentialsOf(request.headers, accounts);
    const credentials = who !== "session" && who !== "header"
      ? sent
      : sent.filter(({ kind }) => (kind === "session") === (who === "session"));
    const [decisive, ...others] = credentials;
    if (decisive === undefined) return ANONYMOUS;
    if (credentials.some(({ kind }) => kind === "session")) requireOwnOrigin(request);
    const principal = proven(decisive, request);
    return others.length === 0
      ? principal
      : agreeing(principal, others, (other) => proven(other, request));
  };
  const standing = standingCallers({
    accounts,
    clock: options.ports.clock,
    fresh,
    verifyDelegated,
    tokens,
    ofClient: clientVerdict,
    credentialsOf: ({ headers }) => credentialsOf(headers, accounts),
  });
  return { identify, standing };
}

/** A client acts as its user at the time of the call, in what both the grant and its token allow. */
function clientVerdict(
  { userId, clientId, scopes }: ClientToken,
  grant: ClientGrant | null,
): CredentialVerdict {
  if (grant === null || grant.clientId !== clientId || grant.principal.userId !== userId) {
    return INVALID;
  }
  const grants = grantsOf(scopes.filter((scope) => grant.scopes.includes(scope)));
  return { kind: "principal", principal: { ...grant.principal, grants } };
}

/** Returns the first caller, if every other credential proves the same user. */
async function agreeing(
  first: Soon<Principal>,
  others: readonly RequestCredential[],
  proven: (credential: RequestCredential) => Soon<Principal>,
): Promise<Principal> {
  const principal = await first;
  for (const other of others) {
    const { userId } = await proven(other);
    if (userId === null || userId !== principal.userId) {
      refuse("AUTH_INVALID_TOKEN", { detail: "The credentials name different callers" });
    }
  }
  return principal;
}

function requireFreshRevocations({ ports, settings }: IdentifyOptions): Soon<void> {
  const fresh = requireFreshRights(ports, settings);
  if (!(fresh instanceof Promise)) return;
  return fresh.catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailableError)) throw error;
    // An error with the outage as its cause would be answered as an outage.
    refuse("AUTH_REVOCATION_UNAVAILABLE", { detail: error.message });
  });
}

/** Builds the judge of tokens; null: the project has no tokens. */
function tokenJudge(
  project: ProjectModel,
  { ports: { clock }, settings, revocations, cutoffs, purged }: IdentifyOptions,
): TokenJudge | null {
  const { auth: { jwt }, multiTenant } = project;
  if (jwt === null) return null;
  const isServer = takesClients(project);
  const verify = rememberingTokens(
    createTokenVerifier({ jwt, settings, clock, takesClients: isServer }),
    clock,
  );
  // The claims of a token count only while its organization exists.
  const inOrganization = (verdict: TokenVerdict) => {
    const organizationId = verdict.kind === "principal" ? verdict.principal.organizationId : null;
    if (!multiTenant || organizationId === null) return verdict;
    return soon(purged.has(organizationId), (isPurged) => isPurged ? OF_NOWHERE : verdict);
  };
  const inTime = refusingCutOff(cutoffs);
  const stands: TokenJudge["stands"] = (token, verdict) =>
    soon(
      revocations === null ? verdict : refusingRevoked(token, verdict, revocations),
      (unrevoked) => soon(inTime(token, unrevoked), inOrganization),
    );
  const judge: VerifyToken = (token) => soon(verify(token), (verdict) => stands(token, verdict));
  return { verify, stands, judge };
}

/**
 * Counts invalid credentials by the caller's address (contract 7.2). Beyond the limit they are `AUTH_RATE_LIMITED`. A valid
 * credential from the same address still works, so nobody can lock out neighbours.
 */
async function refuseUnproven(
  verdict: CredentialVerdict & { readonly kind: "refused" },
  request: RequestContext,
): Promise<never> {
  if (verdict.code !== "AUTH_INVALID_TOKEN" || await countFailedAttempt(request)) {
    return refuse(verdict.code);
  }
  return refuse("AUTH_RATE_LIMITED", { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}

/** Counts invalid credentials; returns false beyond the limit. Without a limiter or an address nothing is counted. */
export async function countFailedAttempt(
  { app: { ports: { limiter } }, clientIp }: RequestContext,
): Promise<boolean> {
  if (limiter === null || clientIp === null) return true;
  const { limit, period } = FAILED_ATTEMPTS;
  return await limiter.take(failedAttemptsBucket(clientIp), limit, period);
}

/** Matches a bearer token (RFC 6750, 2.1). */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** Returns the credentials of a request (contract 5.1), the explicit ones first: the first one decides. */
export function credentialsOf(
  headers: Headers,
  accounts: Accounts | null,
): readonly RequestCredential[] {
  const credentials: RequestCredential[] = [];
  const authorization = headers.get("authorization");
  if (authorization !== null) {
    const token = BEARER.exec(authorization)?.[1];
    credentials.push(
      token === undefined ? { kind: "other", authorization } : { kind: "bearer", token },
    );
  }
  const key = headers.get(HEADERS.apiKey);
  if (key !== null) credentials.push({ kind: "apiKey", key });
  if (accounts?.hasSessionCookie(headers)) credentials.push({ kind: "session" });
  return credentials;
}

const SAFE_METHODS: readonly string[] = ["GET", "HEAD", "OPTIONS"];
const OWN_SITES: readonly string[] = ["same-origin", "none"];

/**
 * Requires that a write with a cookie comes from the API's own or a trusted page (definitions 7, traps 28). A browser sends the
 * cookie for any page, so `Origin`, `Referer` or `Sec-Fetch-Site` must prove the page; in production one of them is required.
 * Refuses with `ORIGIN_FORBIDDEN`.
 */
export function requireOwnOrigin({ method, headers, app }: RequestContext): void {
  // A page may open a WebSocket to any server, with the cookies of its user, and read it (RFC 6455, 10.2).
  if (SAFE_METHODS.includes(method) && !asksForWebSocket(headers)) return;
  const referer = headers.get("referer");
  // A malformed `Referer` proves no origin.
  const origin = headers.get("origin") ??
    (referer === null ? null : URL.parse(referer)?.origin ?? "null");
  const site = headers.get("sec-fetch-site");
  // No current browser leaves out all three headers on an unsafe method: a client without them sends the cookie on purpose.
  const isOwnSite = site === null ? !app.settings.production : OWN_SITES.includes(site);
  if (origin !== null ? isTrustedOrigin(origin, app) : isOwnSite) return;
  refuse("ORIGIN_FORBIDDEN", origin === null && site === null ? { hint: SAY_WHERE_FROM } : {});
}

const SAY_WHERE_FROM = "Send an Origin header, or an API key or a token instead of the cookie";
