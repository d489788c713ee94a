/**
 * What makes parsed JSON unsafe to work with: depth, keys that reach for prototypes, and numbers that JSON can write and
 * not keep. Never recurses.
 */

const JSON_DEPTH_MAX = 64;

const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

interface JsonFault {
  /** JSON pointer of the offending place. */
  readonly pointer: string;
  readonly message: string;
}

/** The first fault of a parsed JSON value; null when it has none. */
export function jsonFaultOf(value: unknown, depthMax = JSON_DEPTH_MAX): JsonFault | null {
  const pending: { value: unknown; pointer: string; depth: number }[] = [
    { value, pointer: "", depth: 0 },
  ];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const { value, pointer, depth } = next;
    // `1e400` is read as Infinity, which would be written as null.
    if (typeof value === "number" && !Number.isFinite(value)) {
      return { pointer, message: "Must be a number within the range of a double" };
    }
    if (typeof value !== "object" || value === null) continue;
    if (depth >= depthMax) {
      return { pointer, message: `Must not be nested deeper than ${depthMax} levels` };
    }
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value) && UNSAFE_KEYS.has(key)) {
        return { pointer: `${pointer}/${key}`, message: `Must not have a key "${key}"` };
      }
      if (typeof member === "number" || typeof member === "object") {
        pending.push({
          value: member,
          pointer: `${pointer}/${escapedToken(key)}`,
          depth: depth + 1,
        });
      }
    }
  }
  return null;
}

/** One member of a JSON pointer (RFC 6901, section 3). */
export function escapedToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
