/**
 * Tokens taken back before they expire (contract 5.2), by their `jti`. They stand in the database; this process holds the
 * live ones, is told of new ones by others, and looks for itself whenever its last look is too old. Refuses with
 * `AUTH_INVALID_TOKEN`, and with `AUTH_REVOCATION_UNAVAILABLE` when the database cannot be read.
 */
import { decodeJwt } from "jose";
import type { Soon } from "../../../lib/soon.ts";
import type { Clock, Revocation, RevocationFeed } from "../../ports.ts";
import { refuse } from "../../refusal.ts";
import type { TokenVerdict } from "./bearer_token.ts";
import type { Look } from "./rights_age.ts";

export interface RevocationStore {
  /** Revocations that end later than this, the earliest end first. */
  after(endsAt: number): Promise<readonly Revocation[]>;
  keep(tokenId: string): Promise<Revocation>;
}

export interface Revocations {
  isRevoked(tokenId: string): Promise<boolean>;
  revoke(tokenId: string): Promise<void>;
}

interface RevocationMeans {
  readonly store: RevocationStore;
  readonly clock: Clock;
  readonly begun: Look;
  /** Absent: the other processes find out by themselves. */
  readonly feed: RevocationFeed | undefined;
}

/** The revocations of one application. */
export function createRevocations({ store, clock, begun, feed }: RevocationMeans): Revocations {
  const live = new Map<string, number>();
  const hold = ({ tokenId, expiresAt }: Revocation) => {
    live.delete(tokenId);
    live.set(tokenId, expiresAt);
  };
  let lastEnd = clock.now();
  feed?.listen(hold);
  const look = async () => {
    const done = begun();
    if (done === null) return;
    const now = clock.now();
    for (const revocation of await store.after(lastEnd)) {
      hold(revocation);
      lastEnd = Math.max(lastEnd, revocation.expiresAt);
    }
    done();
    // Forgets expired entries; those that end first stand first, or close to it.
    for (const [tokenId, expiresAt] of live) {
      if (expiresAt > now) return;
      live.delete(tokenId);
    }
  };
  return {
    async isRevoked(tokenId) {
      try {
        await look();
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

type Verify = (token: string) => Soon<TokenVerdict>;

/** Like `verify`, but asks about every good token, on every request. A token without an id could not be taken back. */
export function refusingRevoked(verify: Verify, revocations: Revocations): Verify {
  return async (token) => {
    const verdict = await verify(token);
    if (verdict.kind === "refused") return verdict;
    const { jti } = decodeJwt(token);
    if (typeof jti !== "string" || jti === "" || await revocations.isRevoked(jti)) {
      return { kind: "refused", code: "AUTH_INVALID_TOKEN" };
    }
    return verdict;
  };
}
