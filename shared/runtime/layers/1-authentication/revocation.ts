/**
 * Refuses tokens that were revoked before they expire (contract 5.2), by their `jti`. Revocations are in the database; this
 * process keeps the live ones in memory, gets new ones from other processes, and reads the database whenever its last read is
 * too old. Refuses with `AUTH_INVALID_TOKEN`, and with `AUTH_REVOCATION_UNAVAILABLE` when the database cannot be read.
 */
import { decodeJwt } from "jose";
import type { Ports, Revocation, Settings } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import type { TokenVerdict } from "./bearer_token.ts";
import { keptFresh } from "./rights_age.ts";

export interface RevocationStore {
  /** Returns revocations that end later than this, the earliest end first. */
  after(endsAt: number): Promise<readonly Revocation[]>;
  keep(tokenId: string): Promise<Revocation>;
}

export interface Revocations {
  isRevoked(tokenId: string): Promise<boolean>;
  revoke(tokenId: string): Promise<void>;
}

/** Builds the revocations of one application. Without a feed the other processes read new ones from the database. */
export function createRevocations(
  store: RevocationStore,
  ports: Pick<Ports, "clock" | "copy" | "revocations">,
  settings: Pick<Settings, "rightsMaxAgeMs">,
): Revocations {
  const { clock, revocations: feed } = ports;
  const live = new Map<string, number>();
  const hold = ({ tokenId, expiresAt }: Revocation) => {
    live.delete(tokenId);
    live.set(tokenId, expiresAt);
  };
  let lastEnd = clock.now();
  feed?.listen(hold);
  const known = keptFresh(
    async () => {
      const now = clock.now();
      for (const revocation of await store.after(lastEnd)) {
        hold(revocation);
        lastEnd = Math.max(lastEnd, revocation.expiresAt);
      }
      // Forgets expired entries; those that end first come first, or nearly so.
      for (const [tokenId, expiresAt] of live) {
        if (expiresAt > now) break;
        live.delete(tokenId);
      }
    },
    ports,
    settings,
  );
  return {
    async isRevoked(tokenId) {
      try {
        await known();
      } catch (cause) {
        return refuse("AUTH_REVOCATION_UNAVAILABLE", { cause });
      }
      return live.has(tokenId);
    },
    async revoke(tokenId) {
      const revocation = await store.keep(tokenId);
      hold(revocation);
      await feed?.tell(revocation);
    },
  };
}

/** Returns the verdict on a token, or its refusal where it was revoked. A token without an id cannot be revoked. */
export async function refusingRevoked(
  token: string,
  verdict: TokenVerdict,
  revocations: Revocations,
): Promise<TokenVerdict> {
  if (verdict.kind === "refused") return verdict;
  const { jti } = decodeJwt(token);
  if (typeof jti !== "string" || jti === "" || await revocations.isRevoked(jti)) {
    return { kind: "refused", code: "AUTH_INVALID_TOKEN" };
  }
  return verdict;
}
