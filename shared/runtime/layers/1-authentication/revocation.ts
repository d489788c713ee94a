/**
 * Tokens taken back before they expire (contract 5.2), by their `jti`. Refuses with `AUTH_INVALID_TOKEN`, and with
 * `AUTH_REVOCATION_UNAVAILABLE` when nobody can say.
 */
import { decodeJwt } from "jose";
import { TOKEN_LIFETIME_MAX_SECONDS } from "../../../contract/limits.ts";
import type { Clock, CredentialVerdict, KeyValues } from "../../ports.ts";
import { refuse } from "../../refusal.ts";

const keyOf = (tokenId: string) => `revoked:${tokenId}`;

type Verify = (token: string) => Promise<CredentialVerdict>;

/** Like `verify`, but asks about every good token, on every request. A token without an id could not be taken back. */
export function refusingRevoked(verify: Verify, keyValues: KeyValues): Verify {
  return async (token) => {
    const verdict = await verify(token);
    if (verdict.kind === "refused") return verdict;
    const { jti } = decodeJwt(token);
    if (typeof jti !== "string" || jti === "" || await isRevoked(jti, keyValues)) {
      return { kind: "refused", code: "AUTH_INVALID_TOKEN" };
    }
    return verdict;
  };
}

/** Kept for as long as any token may live. */
export async function revokeToken(
  tokenId: string,
  { keyValues, clock }: { readonly keyValues: KeyValues; readonly clock: Clock },
): Promise<void> {
  const expiresAt = clock.now() + TOKEN_LIFETIME_MAX_SECONDS * 1000;
  try {
    await keyValues.set(keyOf(tokenId), "1", expiresAt);
  } catch (cause) {
    refuse("AUTH_REVOCATION_UNAVAILABLE", { cause });
  }
}

async function isRevoked(tokenId: string, keyValues: KeyValues): Promise<boolean> {
  try {
    return await keyValues.get(keyOf(tokenId)) !== null;
  } catch (cause) {
    return refuse("AUTH_REVOCATION_UNAVAILABLE", { cause });
  }
}
