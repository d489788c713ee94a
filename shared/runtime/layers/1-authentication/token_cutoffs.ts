/**
 * Ends tokens that were issued before their account was taken over, or its password reset (contract 5.1;
 * docs/decisions/accounts.md, "Proofs and credentials"). This process caches the live rows and reads new ones when its last
 * read is too old, so a request costs a look-up in memory.
 */
import { decodeJwt } from "jose";
import { RIGHTS_MAX_AGE_MS } from "../../../contract/mod.ts";
import { type Soon, soon } from "../../../lib/soon.ts";
import { type Principal, tokenSubject } from "../../../model/mod.ts";
import type { Ports, Settings } from "../../ports.ts";
import type { TokenVerdict } from "./bearer_token.ts";
import { keptFresh } from "./rights_age.ts";

/** A cutoff: tokens of the subject that were issued before it are no longer valid. */
export interface TokenCutoff {
  /** Subject of the tokens: `user:<id>` or `organization:<id>`. */
  readonly subject: string;
  /** Seconds since the epoch. */
  readonly notBefore: number;
  /** Number that increases from row to row. */
  readonly sequence: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface CutoffStore {
  /** Returns the cutoffs after a known one, the oldest first. */
  after(sequence: number): Promise<readonly TokenCutoff[]>;
  /** Returns the smallest valid `iat` for these subjects now, in seconds. */
  notBefore(subjects: readonly string[]): Promise<number>;
}

export interface TokenCutoffs {
  /** True when a token of this principal was issued too early; `issuedAt` is in seconds since the epoch. */
  isOver(principal: Principal, issuedAt: number): Soon<boolean>;
  /** Returns the smallest valid `iat` for this principal, in seconds. */
  notBefore(principal: Principal): Promise<number>;
}

/** Builds the cutoffs of one application. */
export function createTokenCutoffs(
  store: CutoffStore,
  { accounts, ...ports }: Pick<Ports, "accounts" | "clock" | "copy">,
  settings: Pick<Settings, "rightsMaxAgeMs">,
): TokenCutoffs {
  const { clock } = ports;
  const live = new Map<string, TokenCutoff>();
  let seen = 0;
  const look = async () => {
    for (const cutoff of await store.after(seen)) {
      live.delete(cutoff.subject);
      live.set(cutoff.subject, cutoff);
      seen = Math.max(seen, cutoff.sequence);
    }
    // Cutoffs that end first come first.
    for (const [subject, { expiresAt }] of live) {
      if (expiresAt > clock.now()) break;
      live.delete(subject);
    }
  };
  const known = keptFresh(look, ports, settings);
  // While this process has an uncommitted end of tokens, each request reads the database.
  let hurriesUntil = -Infinity;
  accounts?.watchTokens?.({
    clock,
    onEnding: () => void (hurriesUntil = clock.now() + RIGHTS_MAX_AGE_MS),
  });
  const isLive = (principal: Principal, issuedAt: number) =>
    live.size > 0 &&
    subjectsOf(principal).some((subject) => issuedAt < (live.get(subject)?.notBefore ?? 0));
  return {
    isOver: (principal, issuedAt) =>
      soon(
        clock.now() <= hurriesUntil ? look() : known(),
        () => isLive(principal, issuedAt),
      ),
    notBefore: (principal) => store.notBefore(subjectsOf(principal)),
  };
}

function subjectsOf({ userId, organizationId }: Principal): readonly string[] {
  return [
    ...(userId === null ? [] : [tokenSubject("user", userId)]),
    ...(organizationId === null ? [] : [tokenSubject("organization", organizationId)]),
  ];
}

const INVALID: TokenVerdict = { kind: "refused", code: "AUTH_INVALID_TOKEN" };

/**
 * Returns the verdict on a token, or its refusal where it was issued too early. Tokens of clients are judged by their grant.
 */
export function refusingCutOff(
  cutoffs: TokenCutoffs,
): (token: string, verdict: TokenVerdict) => Soon<TokenVerdict> {
  // A cached verdict is one object for each token.
  const times = new WeakMap<TokenVerdict, number>();
  return (token, verdict) => {
    if (verdict.kind !== "principal") return verdict;
    const issuedAt = times.get(verdict) ?? decodeJwt(token).iat ?? 0;
    times.set(verdict, issuedAt);
    return soon(
      cutoffs.isOver(verdict.principal, issuedAt),
      (isOver) => isOver ? INVALID : verdict,
    );
  };
}
