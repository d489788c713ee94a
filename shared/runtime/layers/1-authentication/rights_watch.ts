/**
 * Watches the rights of callers with long-lived answers (contract 6.3). One check per second covers all of them and reports
 * lost rights. So nothing is sent later than `RIGHTS_MAX_AGE_MS` and a second after the loss.
 */
import type { Principal } from "../../../model/mod.ts";
import type { RequestContext } from "../../context.ts";
import type { Logger, Timer } from "../../ports.ts";
import type { Standing, StandingCallers } from "./standing.ts";

/** Milliseconds between two checks: a second, less the time that a check may take. */
const LOOK_MS = 900;

/** An answer that outlives its request. */
export interface Watched {
  /** Changes the caller's rights; null: the caller has none, because a credential has ended. */
  become(principal: Principal | null): void;
  /** Stops the output until `resume`, because rights cannot be checked. A second call does nothing. */
  hold(): void;
  resume(): void;
}

export interface RightsWatch {
  /** Watches an identified caller, until the returned function is called. */
  watch(caller: {
    readonly request: RequestContext;
    readonly principal: Principal;
  }, watched: Watched): Promise<() => void>;
}

interface Entry {
  readonly standing: Standing;
  readonly watched: Watched;
  principal: Principal;
}

/** Ends an answer whose caller lost a right with which it was made. */
export class LostRightsError extends Error {
  override readonly name = "LostRightsError";
  constructor() {
    super("The caller has lost the right to this answer");
  }
}

export function createRightsWatch(
  callers: StandingCallers,
  { timer, logger }: {
    readonly timer: Timer;
    readonly logger: Logger;
  },
): RightsWatch {
  const entries = new Set<Entry>();
  let isTicking = false;
  let isLooking = false;
  const tick = () => {
    if (entries.size === 0) return void (isTicking = false);
    timer.after(LOOK_MS, tick);
    // The last check is still running, so its facts are a second old.
    if (isLooking) holdAll(entries);
    else void look();
  };
  const look = async () => {
    isLooking = true;
    const looked = [...entries];
    try {
      const found = await callers.look(looked.map(({ standing }) => standing));
      looked.forEach((entry, at) => settle(entry, found[at] ?? null));
    } catch (error) {
      logger.log({
        level: "error",
        message: "The rights of streams could not be looked at",
        error,
      });
      holdAll(entries);
    } finally {
      isLooking = false;
    }
  };
  const settle = (entry: Entry, found: Principal | null) => {
    if (!entries.has(entry)) return;
    const { principal, watched } = entry;
    const isSame = found !== null && found.credential === principal.credential &&
      found.userId === principal.userId;
    if (!isSame) {
      entries.delete(entry);
      return watched.become(null);
    }
    if (found !== principal && JSON.stringify(found) !== JSON.stringify(principal)) {
      entry.principal = found;
      watched.become(found);
    }
    watched.resume();
  };
  return {
    async watch({ request, principal }, watched) {
      const entry = { standing: await callers.of(request), watched, principal };
      entries.add(entry);
      if (!isTicking) timer.after(LOOK_MS, tick);
      isTicking = true;
      return () => void entries.delete(entry);
    },
  };
}

function holdAll(entries: Iterable<Entry>): void {
  for (const { watched } of entries) watched.hold();
}

/** True when a caller whose rights have changed still has every right with which an answer was made. */
export function keepsRights(before: Principal, now: Principal): boolean {
  const { roles, userRole, ...rest } = before;
  const { roles: rolesNow, userRole: userRoleNow, ...restNow } = now;
  return JSON.stringify(rest) === JSON.stringify(restNow) &&
    (userRole === null || userRole === userRoleNow) &&
    roles.every((role) => rolesNow.includes(role));
}
