/**
 * Serves `POST /oauth/token` (RFC 6749, 4.1.3 and 6): exchanges a code with its verifier, or a refresh token, for tokens. Each
 * is valid once. The reuse of one ends the grant, because one of its two holders is a thief (RFC 9700, 4.14.2).
 */
import { bytesEqual } from "../../lib/bytes.ts";
import { namesIn, scopesMeant } from "../../surface/mod.ts";
import { deleteGrant, rotateSecret, secretOf, type StoredSecret } from "../data/oauth_rows.ts";
import type { Admitted } from "../gate.ts";
import type { Audience } from "../layers/1-authentication/client_token.ts";
import type { MintClientToken } from "../layers/1-authentication/token_mint.ts";
import type { SecurityLog, Transaction } from "../ports.ts";
import { audienceOf } from "./authorization_request.ts";
import {
  type Form,
  formOf,
  protocolAnswer,
  refuseOauth,
  requiredOf,
  requireOnce,
} from "./oauth_refusal.ts";
import { digestOf, later, newSecret, REFRESH_LIFETIME_MS } from "./secrets.ts";

/** Matches a code verifier (RFC 7636, 4.1). */
const VERIFIER = /^[A-Za-z0-9\-._~]{43,128}$/;

export async function answerToken(request: Admitted, mint: MintClientToken): Promise<Response> {
  const form = await formOf(request, ["resource"]);
  return await protocolAnswer(async () => {
    requireOnce(form);
    const clientId = requiredOf(form, "client_id");
    const { secret, refreshToken } = await exchanged(request, form, clientId);
    const { userId, grantId } = secret;
    const scopes = scopesFor(request, form, secret);
    const audience = audienceFor(request, form, secret);
    const { token, expiresIn } = await mint({ userId, clientId, grantId, scopes, audience });
    return {
      access_token: token,
      token_type: "Bearer",
      expires_in: expiresIn,
      refresh_token: refreshToken,
      scope: scopes.join(" "),
    };
  });
}

type Kind = "code" | "refresh";

const KINDS: ReadonlyMap<string, readonly [kind: Kind, parameter: string]> = new Map([
  ["authorization_code", ["code", "code"]],
  ["refresh_token", ["refresh", "refresh_token"]],
]);

/** An error with a secret of this client: it ends the grant, or changes nothing. */
type Fault = { readonly endsGrant: boolean; readonly refuse: () => never };

async function exchanged(request: Admitted, form: Form, clientId: string) {
  const [kind, parameter] = KINDS.get(requiredOf(form, "grant_type")) ??
    refuseOauth("unsupported_grant_type", "Known are authorization_code and refresh_token");
  const id = await digestOf(requiredOf(form, parameter));
  const challenge = kind === "code" ? await digestOf(form.one("code_verifier") ?? "") : null;
  const { app: { ports: { accounts, random } }, database, now } = request;
  const log = accounts?.securityLog ?? null;
  const refreshToken = newSecret(random);
  const nextId = await digestOf(refreshToken);
  const outcome = await database.write(async (transaction) => {
    const secret = await secretOf(transaction, { id, kind });
    // Another client's secret counts as unknown, and its use ends nothing.
    if (secret === null || secret.clientId !== clientId) return null;
    const fault = faultOf(secret, form, challenge, request);
    if (fault !== null) return await ended(transaction, secret, { fault, log });
    const { grantId } = secret;
    const expiresAt = later(now, REFRESH_LIFETIME_MS);
    const next = { id: nextId, kind: "refresh" as const, grantId, expiresAt };
    await rotateSecret(transaction, { used: id, next, now });
    return { secret, refreshToken };
  });
  if (outcome === null) return refuseGrant();
  return "refuse" in outcome ? outcome.refuse() : outcome;
}

function refuseGrant(): never {
  return refuseOauth("invalid_grant", "The code or token is not good, or not good any more");
}

/** Ends the grant. The end is committed although the request is refused. */
async function ended(
  transaction: Transaction,
  { grantId }: StoredSecret,
  { fault, log }: { readonly fault: Fault; readonly log: SecurityLog | null },
) {
  const end = { log, by: "reuse", origin: null } as const;
  if (fault.endsGrant) await deleteGrant(transaction, grantId, end);
  return fault;
}

/** Returns the fault of a secret. `challenge` is that of the verifier; null: it needs none. */
function faultOf(
  secret: StoredSecret,
  form: Form,
  challenge: string | null,
  request: Admitted,
): Fault | null {
  const over: Fault = { endsGrant: true, refuse: refuseGrant };
  if (secret.isUsed || secret.isOver || secret.expiresAt <= request.now) return over;
  if (challenge !== null) {
    const verifier = form.one("code_verifier") ?? "";
    const isSame = VERIFIER.test(verifier) &&
      bytesEqual(encoded(challenge), encoded(secret.codeChallenge ?? ""));
    // A client with the code but without its verifier has not requested the code.
    if (!isSame || form.one("redirect_uri") !== secret.redirectUri) return over;
  }
  // The scope is judged before the secret is used up, so that the client may ask again.
  return faultIn(() => {
    scopesFor(request, form, secret);
    audienceFor(request, form, secret);
  });
}

function faultIn(judge: () => void): Fault | null {
  try {
    judge();
    return null;
  } catch (error) {
    return {
      endsGrant: false,
      refuse() {
        throw error;
      },
    };
  }
}

/** Returns the allowed scope, or the smaller one that was requested (RFC 6749, 6). */
function scopesFor(
  { app }: Admitted,
  form: Form,
  { scope }: StoredSecret,
): readonly string[] {
  const allowed = namesIn(scope);
  const asked = scopesMeant(namesIn(form.one("scope") ?? scope), app.project);
  const more = asked.find((name) => !allowed.includes(name));
  if (more !== undefined || asked.length === 0) {
    return refuseOauth("invalid_scope", "More was asked for than was allowed");
  }
  return asked;
}

/** Returns the audience that was allowed, or the part of it that `/mcp` is (RFC 8707, 2.2). */
function audienceFor({ app }: Admitted, form: Form, { resource }: StoredSecret): Audience {
  const allowed: Audience = resource === "api" ? "api" : "mcp";
  const sent = form.all("resource");
  const asked = sent.length === 0 ? allowed : audienceOf(sent, app);
  if (asked === null || (asked === "api" && allowed === "mcp")) {
    return refuseOauth("invalid_target", "The user allowed no tokens for this resource");
  }
  return asked;
}

function encoded(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
