/**
 * The queue for hashing passwords. Each hash occupies a processor, so unlimited ones would block all other requests (contract
 * 7.2, docs/decisions/accounts.md).
 */

import type { LentHit } from "../ports.ts";
import { refuse } from "../refusal.ts";

/** Requests that wait at most. */
const WAITING_MAX = 100;

export interface PasswordLine {
  /** Waits for a place, of which an account has one at a time; null: the line is full. The result ends it. */
  enter(account: string | null): Promise<() => void> | null;
}

interface Waiting {
  readonly account: string | null;
  begin(): void;
}

/** `places`: hashes that are worked on at once, one for each processor. */
export function createPasswordLine(places: number): PasswordLine {
  const busy = new Set<string>();
  const waiting: Waiting[] = [];
  let taken = 0;
  const isFree = (account: string | null) =>
    taken < places && (account === null || !busy.has(account));
  const begin = (account: string | null) => {
    taken += 1;
    if (account !== null) busy.add(account);
    return () => {
      taken -= 1;
      if (account !== null) busy.delete(account);
      const next = waiting.findIndex((one) => isFree(one.account));
      for (const one of next === -1 ? [] : waiting.splice(next, 1)) one.begin();
    };
  };
  return {
    enter(account) {
      if (isFree(account)) return Promise.resolve(begin(account));
      if (waiting.length >= WAITING_MAX) return null;
      return new Promise((resolve) => {
        waiting.push({ account, begin: () => resolve(begin(account)) });
      });
    },
  };
}

/** Answers when there is a place in the line. Refuses with `AUTH_BUSY`, and then counts no attempt. */
export async function inTurn(
  line: PasswordLine,
  { account, attempt }: { readonly account: string | null; readonly attempt: LentHit | null },
  answer: () => Promise<Response>,
): Promise<Response> {
  const place = line.enter(account?.trim().toLowerCase() ?? null);
  if (place === null) {
    await attempt?.giveBack();
    return refuse("AUTH_BUSY", { headers: { "retry-after": "1" } });
  }
  const leave = await place;
  try {
    return await answer();
  } finally {
    leave();
  }
}
