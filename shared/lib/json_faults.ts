/**
 * Faults that make parsed JSON unsafe to work with (definitions 7, traps 12, 31): depth, size, keys that reach for prototypes, and
 * numbers that JSON can write and not keep. Never recurses.
 */

export const JSON_DEPTH_MAX = 64;

const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

interface JsonBounds {
  readonly depthMax?: number;
  /** Bound on members and items in all. */
  readonly membersMax?: number;
}

interface JsonFault {
  /** Leads to the offending place, as JSON pointers do. */
  readonly path: readonly string[];
  readonly message: string;
}

interface Visit {
  readonly value: unknown;
  readonly trail: Trail | null;
  readonly depth: number;
}

/** A path as a list from its end, so that visiting costs no copies. */
interface Trail {
  readonly member: string;
  readonly parent: Trail | null;
}

/** The first fault of a parsed JSON value, where NaN is a whole number that no double holds; null when it has none. */
export function jsonFaultOf(
  root: unknown,
  { depthMax = JSON_DEPTH_MAX, membersMax = Infinity }: JsonBounds = {},
): JsonFault | null {
  const pending: Visit[] = [{ value: root, trail: null, depth: 0 }];
  let members = 0;
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const { value, trail, depth } = visit;
    if (Number.isNaN(value)) {
      return faultAt(trail, `Must be a whole number within ±${Number.MAX_SAFE_INTEGER}`);
    }
    // `1e400` is read as Infinity, which would be written as null.
    if (typeof value === "number" && !Number.isFinite(value)) {
      return faultAt(trail, "Must be a number within the range of a double");
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth >= depthMax) {
      return faultAt(trail, `Must not be nested deeper than ${depthMax} levels`);
    }
    for (const [key, member] of Object.entries(value)) {
      members += 1;
      if (members > membersMax) {
        return faultAt(trail, `Must not have more than ${membersMax} members in all`);
      }
      if (!Array.isArray(value) && UNSAFE_KEYS.has(key)) {
        return faultAt({ member: key, parent: trail }, `Must not have a key "${key}"`);
      }
      if (typeof member === "number" || typeof member === "object") {
        const below: Trail = { member: key, parent: trail };
        pending.push({ value: member, trail: below, depth: depth + 1 });
      }
    }
  }
  return null;
}

function faultAt(trail: Trail | null, message: string): JsonFault {
  const path: string[] = [];
  for (let at = trail; at; at = at.parent) path.push(at.member);
  return { path: path.reverse(), message };
}
