/**
 * Tokens that were verified once, remembered until they expire: checking a signature costs several times what the rest of a
 * read does. Only good tokens are kept, whole, and no more than a bounded number.
 */
import { decodeJwt } from "jose";
import type { Clock } from "../../ports.ts";
import type { TokenVerdict } from "./bearer_token.ts";

export const TOKENS_REMEMBERED_MAX = 1000;
/** Characters; longer tokens are verified each time. */
const TOKEN_REMEMBERED_LENGTH_MAX = 2048;

type Verify = (token: string) => Promise<TokenVerdict>;

interface Remembered {
  readonly verdict: TokenVerdict;
  /** Seconds since the epoch. */
  readonly expiresAt: number;
}

/** Like `verify`, but asks it only once for each good token. */
export function rememberingTokens(verify: Verify, clock: Clock): Verify {
  const remembered = new Map<string, Remembered>();
  return async (token) => {
    const known = remembered.get(token);
    if (known && Math.floor(clock.now() / 1000) < known.expiresAt) return known.verdict;
    remembered.delete(token);
    const verdict = await verify(token);
    if (verdict.kind === "principal" && token.length <= TOKEN_REMEMBERED_LENGTH_MAX) {
      remembered.set(token, { verdict, expiresAt: decodeJwt(token).exp ?? 0 });
      if (remembered.size > TOKENS_REMEMBERED_MAX) forgetOldest(remembered);
    }
    return verdict;
  };
}

function forgetOldest(remembered: Map<string, Remembered>): void {
  const [oldest] = remembered.keys();
  if (oldest !== undefined) remembered.delete(oldest);
}
