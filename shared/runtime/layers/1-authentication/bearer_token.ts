/** Verifies bearer tokens: any claims signed with `AUTH_SECRET` are the context (contract 5.1, definitions 7, "JWT"). */
import { calculateJwkThumbprint, decodeJwt, errors, exportJWK, type JWK, jwtVerify } from "jose";
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../../contract/mod.ts";
import type { Soon } from "../../../lib/soon.ts";
import { requireStrongSecret } from "../../../lib/variables.ts";
import type { JwtModel, Principal } from "../../../model/mod.ts";
import { ANONYMOUS, isPlatformRole, projectRolesOf } from "../../../model/mod.ts";
import { SCOPE_NAME } from "../../../surface/mod.ts";
import type { Clock, Secrets, Settings } from "../../ports.ts";
import { type ClientToken, clientTokenOf, mcpAudience } from "./client_token.ts";

/** Maximum characters of a token. The service's own are far shorter, and nothing longer is parsed. */
export const TOKEN_MAX_LENGTH = 8192;

/** Tolerance for another host's clock that runs ahead. Nothing is added to `exp`. */
const CLOCK_TOLERANCE_SECONDS = 5;

export type TokenVerdict =
  | { readonly kind: "principal"; readonly principal: Principal }
  | { readonly kind: "client"; readonly token: ClientToken }
  | {
    readonly kind: "refused";
    /** `FIREWALL_ORG_ISOLATION`: the token's organization was deleted. */
    readonly code: "AUTH_INVALID_TOKEN" | "AUTH_EXPIRED" | "FIREWALL_ORG_ISOLATION";
  };

const INVALID: TokenVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };
const EXPIRED: TokenVerdict = { kind: "refused", code: "AUTH_EXPIRED" };

/** Builds the verifier, one per application: the keys are imported once. Throws when the secret is too short. */
export function createTokenVerifier(
  { jwt, settings, clock, takesClients = false }: {
    readonly jwt: JwtModel;
    readonly settings: Pick<Settings, "baseUrl"> & Secrets;
    readonly clock: Clock;
    /** True: tokens that name a client are judged as tokens of clients. */
    readonly takesClients?: boolean;
  },
): (token: string) => Promise<TokenVerdict> {
  const secrets = [settings.authSecret, settings.authSecretPrevious ?? null];
  const importedKeys = secrets.flatMap((secret) =>
    secret === null ? [] : [createTokenKeys(jwt.algorithm, secret)]
  );
  const audience = jwt.audience ?? settings.baseUrl;
  const ofMcp = mcpAudience(settings.baseUrl);
  // The reason of a refusal is never revealed, except that the token was once valid.
  const verify = async (token: string, keys: TokenKeys): Promise<TokenVerdict> => {
    const now = Math.floor(clock.now() / 1000);
    try {
      const { payload } = await jwtVerify(token, (header) => {
        // Headers that name a key, a key's URL or an extension are refused, because only the API's own key is valid.
        const known = Object.entries(header).every(([name, value]) =>
          name === "alg" ||
          (name === "typ" && value === "JWT") ||
          (name === "kid" && keys.keyId !== null && value === keys.keyId)
        );
        if (!known) throw new errors.JWSInvalid("Header parameter not allowed");
        return keys.verifying;
      }, {
        algorithms: [keys.algorithm],
        issuer: jwt.issuer ?? settings.baseUrl,
        audience: takesClients ? [audience, ofMcp] : audience,
        requiredClaims: ["exp", "iat", "sub"],
        currentDate: new Date(now * 1000),
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
      });
      const { iat, exp } = payload;
      if (iat === undefined || exp === undefined) return INVALID;
      if (iat > now + CLOCK_TOLERANCE_SECONDS) return INVALID;
      if (exp <= now) return EXPIRED;
      if (exp <= iat || exp - iat > TOKEN_LIFETIME_MAX_SECONDS) return INVALID;
      const isForApi = [payload.aud].flat().includes(audience);
      if (takesClients && (payload["client_id"] ?? null) !== null) {
        const token = clientTokenOf(payload, isForApi ? "api" : "mcp");
        return token ? { kind: "client", token } : INVALID;
      }
      const principal = isForApi ? principalOfClaims(payload) : null;
      return principal ? { kind: "principal", principal } : INVALID;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return EXPIRED;
      if (error instanceof errors.JOSEError) return INVALID;
      throw error;
    }
  };
  return async (token) => {
    if (token.length > TOKEN_MAX_LENGTH || !isCompact(token)) return INVALID;
    for (const keys of importedKeys) {
      const verdict = await verify(token, await keys());
      if (verdict !== INVALID) return verdict;
    }
    return INVALID;
  };
}

/** True for three parts in base64url without padding (RFC 7515, 3.1). Other spellings of one signature are not valid. */
function isCompact(token: string): boolean {
  const [, signature] = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token) ?? [];
  if (signature === undefined || signature.length % 4 === 1) return false;
  // The last letter of base64url may contain unused bits.
  const bytes = Uint8Array.fromBase64(signature, { alphabet: "base64url" });
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true }) === signature;
}

/**
 * Turns the claims of a verified token into a principal (definitions 7, "JWT"); null when a claim has another shape. A
 * null claim counts as absent.
 */
function principalOfClaims(claims: Readonly<Record<string, unknown>>): Principal | null {
  const userId = claims["sub"];
  const organizationId = claims["orgId"] ?? null;
  const teamId = claims["teamId"] ?? null;
  const roles = claims["roles"] ?? [];
  const userRole = claims["userRole"] ?? null;
  // An id is a text, and so is each audience (RFC 7519, 4.1); the library requires one audience of many only.
  const { jti = null, aud } = claims;
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (jti !== null && typeof jti !== "string" || !audiences.every(isName)) return null;
  const impersonation = impersonationIn(claims);
  if (impersonation === null) return null;
  if ((claims["scope"] ?? null) !== null) {
    const scoped = scopePrincipal(claims);
    return scoped && { ...scoped, ...impersonation };
  }
  // An impersonator has the rights of the account, never their own.
  if (impersonation.impersonatedBy !== undefined && userRole === "sysadmin") return null;
  if (!isName(userId) || !Array.isArray(roles) || !roles.every(isName)) return null;
  if (organizationId !== null && !isName(organizationId)) return null;
  if (teamId !== null && !isName(teamId)) return null;
  if (userRole !== null && !isPlatformRole(userRole)) return null;
  return {
    credential: "token",
    userId,
    organizationId,
    teamId,
    roles: projectRolesOf(roles),
    userRole,
    ...impersonation,
  };
}

/**
 * Reads `act` (RFC 8693, 4.1), which names the account that acts in the bearer's place until the token ends; null when it has
 * another shape.
 */
function impersonationIn(
  { act, exp }: Readonly<Record<string, unknown>>,
): Pick<Principal, "impersonatedBy" | "impersonatedUntil"> | null {
  if (act === undefined || act === null) return {};
  const actor: unknown = typeof act === "object" ? Reflect.get(act, "sub") : null;
  if (!isName(actor) || typeof exp !== "number") return null;
  return { impersonatedBy: actor, impersonatedUntil: exp * 1000 };
}

/** Returns the principal of a scope token: no user, and nothing but the scope and its organization (contract 5.4). */
function scopePrincipal(claims: Readonly<Record<string, unknown>>): Principal | null {
  const { sub, scope } = claims;
  const organizationId = claims["orgId"] ?? null;
  if (typeof scope !== "string" || !SCOPE_NAME.test(scope)) return null;
  if (sub !== scopeSubject(scope)) return null;
  if (organizationId !== null && !isName(organizationId)) return null;
  if (["teamId", "roles", "userRole"].some((name) => (claims[name] ?? null) !== null)) return null;
  return { ...ANONYMOUS, credential: "scope", organizationId, scope };
}

/** Returns the `sub` of a scope token, which is no user's id. */
export function scopeSubject(scope: string): string {
  return `scope:${scope}`;
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

export const TOKENS_REMEMBERED_MAX = 1000;
/** Maximum characters of a cached token; longer tokens are verified each time. */
const TOKEN_REMEMBERED_LENGTH_MAX = 2048;

/**
 * Wraps `verify` with a cache of valid tokens until they expire, because checking a signature costs several times the rest of a
 * read. Only valid tokens are cached, complete and in a bounded number.
 */
export function rememberingTokens(
  verify: (token: string) => Promise<TokenVerdict>,
  clock: Clock,
): (token: string) => Soon<TokenVerdict> {
  // `expiresAt` in seconds since the epoch.
  const remembered = new Map<string, { verdict: TokenVerdict; expiresAt: number }>();
  const judged = async (token: string) => {
    const verdict = await verify(token);
    if (verdict.kind !== "refused" && token.length <= TOKEN_REMEMBERED_LENGTH_MAX) {
      remembered.set(token, { verdict, expiresAt: decodeJwt(token).exp ?? 0 });
      if (remembered.size > TOKENS_REMEMBERED_MAX) {
        const [oldest] = remembered.keys();
        if (oldest !== undefined) remembered.delete(oldest);
      }
    }
    return verdict;
  };
  return (token) => {
    const known = remembered.get(token);
    if (known && Math.floor(clock.now() / 1000) < known.expiresAt) return known.verdict;
    remembered.delete(token);
    return judged(token);
  };
}

interface TokenKeys {
  readonly algorithm: JwtModel["algorithm"];
  readonly signing: CryptoKey;
  readonly verifying: CryptoKey;
  /** Thumbprint of a published key; null when the algorithm is symmetric and nothing is published. */
  readonly keyId: string | null;
  /** The public key; null when there is none. */
  readonly publicKey: JWK | null;
}

/**
 * Makes the keys that sign and verify bearer tokens, once per application, from `AUTH_SECRET` (definitions 7, "JWT"). Imports
 * the keys on the first call and keeps them. Refuses a secret that is too short at once.
 */
export function createTokenKeys(
  algorithm: JwtModel["algorithm"],
  secret: Uint8Array,
): () => Promise<TokenKeys> {
  requireStrongSecret(secret);
  const bytes = new Uint8Array(secret);
  let keys: Promise<TokenKeys> | null = null;
  return () => keys ??= algorithm === "HS256" ? symmetricKeys(bytes) : edwardsKeys(bytes);
}

async function symmetricKeys(secret: Uint8Array<ArrayBuffer>): Promise<TokenKeys> {
  const key = await crypto.subtle.importKey(
    "raw",
    secret,
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign", "verify"],
  );
  return { algorithm: "HS256", signing: key, verifying: key, keyId: null, publicKey: null };
}

/** The bytes before the 32 bytes of an Ed25519 private key in PKCS #8 (RFC 8410, section 7). */
const ED25519_PKCS8_PREFIX = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/** The private key is derived from the secret, so that every instance has the same one and none is stored. */
async function edwardsKeys(secret: Uint8Array<ArrayBuffer>): Promise<TokenKeys> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const info = new TextEncoder().encode("quickback/token/ed25519");
  const algorithm = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info };
  const seed = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
  const pkcs8 = new Uint8Array([...ED25519_PKCS8_PREFIX, ...seed]);
  const extractable = await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", true, ["sign"]);
  const { kty, crv, x } = await exportJWK(extractable);
  if (kty !== "OKP" || crv !== "Ed25519" || x === undefined) {
    throw new Error("The platform exported no Ed25519 public key");
  }
  const keyId = await calculateJwkThumbprint({ kty, crv, x });
  return {
    algorithm: "EdDSA",
    signing: await crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", false, ["sign"]),
    verifying: await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]),
    keyId,
    publicKey: { kty, crv, x, kid: keyId, alg: "EdDSA", use: "sig" },
  };
}
