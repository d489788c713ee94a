/**
 * What no JSON body may contain, whatever the operation (definitions 7, traps): keys that reach prototypes, and shapes
 * too deep or too large to walk. Iterative, so that no shape overflows the stack.
 */
import { pointerTo } from "../refusal.ts";

export const BODY_DEPTH_MAX = 64;
export const BODY_MEMBERS_MAX = 50_000;

const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

interface BoundsFinding {
  readonly pointer: string;
  /** Top-level member, for `details.fields`. */
  readonly field: string;
  readonly message: string;
}

interface Visit {
  readonly value: unknown;
  readonly path: Trail | null;
  readonly depth: number;
}

/** A path as a list from its end, so that visiting costs no copies. */
interface Trail {
  readonly member: string | number;
  readonly parent: Trail | null;
}

/** The first thing in this value that is refused everywhere; null when there is none. */
export function findOutOfBounds(value: unknown): BoundsFinding | null {
  const pending: Visit[] = [{ value, path: null, depth: 0 }];
  let members = 0;
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    if (typeof visit.value !== "object" || visit.value === null) continue;
    if (visit.depth >= BODY_DEPTH_MAX) {
      return finding(visit.path, `Nesting deeper than ${BODY_DEPTH_MAX} levels is refused`);
    }
    const isArray = Array.isArray(visit.value);
    for (const [key, child] of Object.entries(visit.value)) {
      const path: Trail = { member: key, parent: visit.path };
      members += 1;
      if (members > BODY_MEMBERS_MAX) {
        return finding(visit.path, `More than ${BODY_MEMBERS_MAX} members are refused`);
      }
      if (!isArray && FORBIDDEN_KEYS.has(key)) {
        return finding(path, "This key is refused in every body");
      }
      pending.push({ value: child, path, depth: visit.depth + 1 });
    }
  }
  return null;
}

function finding(trail: Trail | null, message: string): BoundsFinding {
  const members: (string | number)[] = [];
  for (let at = trail; at; at = at.parent) members.unshift(at.member);
  const shown = members.slice(0, 8).map((member) => String(member).slice(0, 64).toWellFormed());
  return { pointer: pointerTo(...shown), field: shown[0] ?? "", message };
}
