/**
 * Checks the credentials of long-lived answers (contract 6.3), and returns their callers' present rights. Signatures are not
 * verified again, and uses of API keys are not counted.
 */
import { decodeJwt } from "jose";
import type { Soon } from "../../../lib/soon.ts";
import type { Principal } from "../../../model/mod.ts";
import type { RequestContext } from "../../context.ts";
import type {
  AccountCredentials,
  Accounts,
  ClientGrant,
  Clock,
  CredentialVerdict,
  StandingCredentials,
} from "../../ports.ts";
import type { TokenVerdict } from "./bearer_token.ts";
import type { ClientToken } from "./client_token.ts";
import type { RequestCredential, TokenJudge } from "./request_credential.ts";

/** The credentials of one request; the first one decides. */
export type Standing = readonly StandingCredential[];

type StandingCredential =
  | { readonly kind: "sessions" | "apiKeys"; readonly id: string }
  | { readonly kind: "tokens" | "grants"; readonly id: string; readonly token: KeptToken }
  /** A credential of the project's own scheme, which its verifier judges. */
  | { readonly kind: "delegated"; readonly request: RequestContext; readonly id: string };

/** A token with a verified signature, and its claims. */
interface KeptToken {
  readonly text: string;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
  readonly verdict: TokenVerdict;
}

export interface StandingCallers {
  /** Returns the credentials of an identified request. */
  of(request: RequestContext): Promise<Standing>;
  /** Returns each caller's present principal; null: a credential has ended. Throws where that cannot be known at the moment. */
  look(all: readonly Standing[]): Promise<readonly (Principal | null)[]>;
}

interface StandingMeans {
  readonly accounts: Accounts | null;
  readonly clock: Clock;
  /** Judge of tokens; null: the project has no tokens. */
  readonly tokens: TokenJudge | null;
  credentialsOf(request: RequestContext): readonly RequestCredential[];
  verifyDelegated(authorization: string, request: RequestContext): Promise<CredentialVerdict>;
  ofClient(token: ClientToken, grant: ClientGrant | null): CredentialVerdict;
  /** Makes sure that reads from here on are no older than rights may be. */
  fresh(): Soon<void>;
}

export function standingCallers(means: StandingMeans): StandingCallers {
  return {
    of: (request) =>
      Promise.all(means.credentialsOf(request).map((sent) => kept(sent, request, means))),
    async look(all) {
      await means.fresh();
      const found = await accountsAmong(all.flat(), means.accounts);
      const delegates = new Map<string, Promise<Principal | null>>();
      const judged = async (credential: StandingCredential) => {
        switch (credential.kind) {
          case "sessions":
          case "apiKeys":
            return found[credential.kind].get(credential.id) ?? null;
          case "tokens":
          case "grants":
            return await ofToken(credential, found, means);
          case "delegated":
            return await ofDelegate(credential, delegates, means);
        }
      };
      return await Promise.all(all.map((standing) => callerOf(standing, judged)));
    },
  };
}

async function kept(
  sent: RequestCredential,
  request: RequestContext,
  { accounts, tokens }: StandingMeans,
): Promise<StandingCredential> {
  switch (sent.kind) {
    case "session":
      return { kind: "sessions", id: await accounts?.standing.sessionId(request.headers) ?? "" };
    case "apiKey":
      return { kind: "apiKeys", id: await accounts?.standing.apiKeyId(sent.key) ?? "" };
    case "other":
      return { kind: "delegated", request, id: sent.authorization };
    case "bearer": {
      const verdict = await tokens?.verify(sent.token) ?? REFUSED;
      const token = { text: sent.token, expiresAt: decodeJwt(sent.token).exp ?? 0, verdict };
      return verdict.kind === "client"
        ? { kind: "grants", id: verdict.token.grantId, token }
        : { kind: "tokens", id: sent.token, token };
    }
  }
}

const REFUSED: TokenVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };

/** Looks up the credentials of accounts; reads nothing where there is none. */
async function accountsAmong(
  credentials: Standing,
  accounts: Accounts | null,
): Promise<StandingCredentials> {
  const idsOf = (kind: keyof AccountCredentials) => [
    ...new Set(credentials.flatMap((one) => one.kind === kind ? [one.id] : [])),
  ];
  const asked = {
    sessions: idsOf("sessions"),
    apiKeys: idsOf("apiKeys"),
    grants: idsOf("grants"),
  };
  const isNone = Object.values(asked).every(({ length }) => length === 0);
  if (isNone || accounts === null) return NONE_FOUND;
  return await accounts.standing.among(asked);
}

const NONE_FOUND: StandingCredentials = {
  sessions: new Map(),
  apiKeys: new Map(),
  grants: new Map(),
};

async function ofToken(
  { id, token }: StandingCredential & { readonly kind: "tokens" | "grants" },
  found: StandingCredentials,
  { tokens, ofClient, clock }: StandingMeans,
): Promise<Principal | null> {
  if (token.expiresAt * 1000 <= clock.now()) return null;
  const stood = await tokens?.stands(token.text, token.verdict) ?? REFUSED;
  const verdict = stood.kind === "client"
    ? ofClient(stood.token, found.grants.get(id) ?? null)
    : stood;
  return verdict.kind === "principal" ? verdict.principal : null;
}

/** Runs the verifier once for all streams of one credential. */
function ofDelegate(
  { id, request }: StandingCredential & { readonly kind: "delegated" },
  asked: Map<string, Promise<Principal | null>>,
  { verifyDelegated }: StandingMeans,
): Promise<Principal | null> {
  const known = asked.get(id) ??
    verifyDelegated(id, request).then((verdict) =>
      verdict.kind === "principal" ? verdict.principal : null
    );
  asked.set(id, known);
  return known;
}

/** Returns the caller of the first credential, while every other one is valid and names the same user. */
async function callerOf(
  standing: Standing,
  judged: (credential: StandingCredential) => Promise<Principal | null>,
): Promise<Principal | null> {
  const [first = null, ...others] = await Promise.all(standing.map(judged));
  const isOne = others.every((other) => other?.userId === first?.userId && other !== null);
  return isOne ? first : null;
}
