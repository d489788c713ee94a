/**
 * Identifies the caller (contract 5.1, 5.2): one credential decides, and no other may name somebody else. Refuses with
 * `AUTH_INVALID_TOKEN`, `AUTH_EXPIRED`, `AUTH_RATE_LIMITED`, `AUTH_REVOCATION_UNAVAILABLE`, `ORIGIN_FORBIDDEN` and, for an
 * API key with a limit of its own, `RATE_LIMITED`. Credentials that prove nothing are refused on PUBLIC routes too, and
 * never downgraded to an anonymous caller.
 */
import { ANONYMOUS, type Principal } from "../../../model/principal.ts";
import type { ProjectModel } from "../../../model/project.ts";
import type { Who } from "../../../surface/who.ts";
import type { PurgedOrganizations, RequestContext } from "../../context.ts";
import type { CredentialVerdict, Ports, Settings } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import { createTokenVerifier } from "./bearer_token.ts";
import { credentialsOf, type RequestCredential } from "./credentials.ts";
import { createVerifyDelegated, type VerifierHome, type VerifyDelegated } from "./delegated.ts";
import { refuseFailedAttempt } from "./failed_attempts.ts";
import { requireOwnOrigin } from "./own_origin.ts";
import { rememberingTokens } from "./remembered_tokens.ts";
import { refusingRevoked, type Revocations } from "./revocation.ts";

/** Identifies the caller by the credentials that count for `who`. */
export type Identify = (
  request: RequestContext,
  who: Exclude<Who, "unasked">,
) => Promise<Principal>;
type VerifyToken = (token: string) => Promise<CredentialVerdict>;

const INVALID: CredentialVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };

interface IdentifyOptions {
  readonly ports: Ports;
  readonly settings: Settings;
  /** Null: tokens cannot be taken back. */
  readonly revocations: Revocations | null;
  readonly purged: PurgedOrganizations;
  /** The code behind the project's delegated principals, and what it is given. */
  readonly home: VerifierHome;
}

/** One per application: keys are imported once. Throws when the secret is too short or a verifier is missing. */
export function createIdentify(project: ProjectModel, options: IdentifyOptions): Identify {
  const { accounts } = options.ports;
  const verifyToken = tokenVerifier(project, options);
  const verifyDelegated = createVerifyDelegated(project.auth, options.home);
  const verdictOf = verdictsWith(verifyToken, verifyDelegated);
  return async (request, who) => {
    const credentials = countedFor(who, credentialsOf(request.headers, accounts));
    const [decisive, ...others] = credentials;
    if (decisive === undefined) return ANONYMOUS;
    if (credentials.some(({ kind }) => kind === "session")) requireOwnOrigin(request);
    const principal = await principalOf(decisive, { request, verdictOf });
    for (const other of others) {
      const { userId } = await principalOf(other, { request, verdictOf });
      if (userId === null || userId !== principal.userId) {
        refuse("AUTH_INVALID_TOKEN", { detail: "The credentials name different callers" });
      }
    }
    return principal;
  };
}

function countedFor(
  who: Who,
  credentials: readonly RequestCredential[],
): readonly RequestCredential[] {
  if (who !== "session" && who !== "header") return credentials;
  return credentials.filter(({ kind }) => (kind === "session") === (who === "session"));
}

function tokenVerifier(
  { auth: { jwt }, multiTenant }: ProjectModel,
  { ports: { clock }, settings, revocations, purged }: IdentifyOptions,
): VerifyToken | null {
  if (jwt === null) return null;
  const verify = rememberingTokens(createTokenVerifier({ jwt, settings, clock }), clock);
  const unrevoked = revocations === null ? verify : refusingRevoked(verify, revocations);
  return multiTenant ? refusingPurged(unrevoked, purged) : unrevoked;
}

/** A token's claims are believed, but not longer than its organization is there. */
function refusingPurged(verify: VerifyToken, purged: PurgedOrganizations): VerifyToken {
  return async (token) => {
    const verdict = await verify(token);
    if (verdict.kind === "refused") return verdict;
    const { organizationId } = verdict.principal;
    return organizationId !== null && await purged.has(organizationId) ? INVALID : verdict;
  };
}

type VerdictOf = (
  credential: RequestCredential,
  request: RequestContext,
) => Promise<CredentialVerdict>;

function verdictsWith(
  verifyToken: VerifyToken | null,
  verifyDelegated: VerifyDelegated,
): VerdictOf {
  return async (credential, request) => {
    const { app: { ports: { accounts } }, headers } = request;
    switch (credential.kind) {
      case "other":
        return await verifyDelegated(credential.authorization, request);
      case "bearer":
        return await verifyToken?.(credential.token) ?? INVALID;
      case "apiKey":
        return await accounts?.apiKey(credential.key) ?? INVALID;
      case "session": {
        const principal = await accounts?.session(headers);
        return principal ? { kind: "principal", principal } : INVALID;
      }
    }
  };
}

async function principalOf(
  credential: RequestCredential,
  { request, verdictOf }: { readonly request: RequestContext; readonly verdictOf: VerdictOf },
): Promise<Principal> {
  const verdict = await verdictOf(credential, request);
  if (verdict.kind === "principal") return verdict.principal;
  return await refuseFailedAttempt(request, verdict.code);
}
