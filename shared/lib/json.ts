/** JSON as values and as text, and the faults that make a text unsafe to process. */
/** Parsed JSON that is an object. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Makes a JSON pointer (RFC 6901, section 3). */
export function pointerTo(...members: readonly (string | number)[]): string {
  return members.map((member) => `/${String(member).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** Parses a JSON text; undefined, which JSON cannot express, for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Formats a value as a JSON file: two spaces, keys in their given order, one final newline. */
export function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * True for a text with more commas outside of its strings than `membersMax`. It does not parse the text, so that refusing a
 * large one is cheap. The result has no meaning for a text that is not JSON.
 */
export function hasMoreMembers(json: string, membersMax: number): boolean {
  // A member takes at least a comma and one character.
  if (json.length <= 2 * membersMax) return false;
  let commas = 0;
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(json, at);
    } else if (code === COMMA) {
      commas += 1;
      if (commas >= membersMax) return true;
    }
  }
  return false;
}

/** Returns the end of the string that begins here. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return json.length;
}

/** Returns a key that occurs twice in one object of a JSON text; null: none does. A parser would keep only the last. */
export function repeatedKeyIn(json: string): string | null {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at];
    if (letter === "{") open.push(new Set());
    else if (letter === "[") open.push(null);
    else if (letter === "}" || letter === "]") open.pop();
    else if (letter === '"') {
      const end = endOfString(json, at);
      const keys = open.at(-1);
      const colon = /\s*:/y;
      colon.lastIndex = end + 1;
      if (keys && colon.test(json)) {
        const key = String(JSON.parse(json.slice(at, end + 1)));
        if (keys.has(key)) return key;
        keys.add(key);
      }
      at = end;
    }
  }
  return null;
}

/* Faults (definitions 7, traps 12, 31): depth, size, keys that reach for prototypes, and numbers that JSON can write and not keep. */

export const JSON_DEPTH_MAX = 64;

export const UNSAFE_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor"]);

interface JsonFault {
  /** Members that lead to the fault, as in a JSON pointer. */
  readonly path: readonly string[];
  readonly message: string;
}

interface Visit {
  readonly value: unknown;
  readonly trail: Trail | null;
  readonly depth: number;
}

/** A path as a linked list from its end, so that visiting a value copies nothing. */
interface Trail {
  readonly member: string;
  readonly parent: Trail | null;
}

/**
 * Returns the first fault of a parsed JSON value; null when it has none. NaN stands for a whole number that no double can
 * represent. It does not recurse.
 */
export function jsonFaultOf(
  root: unknown,
  { depthMax = JSON_DEPTH_MAX, membersMax = Infinity }: {
    readonly depthMax?: number;
    /** Most members and items in the whole value. */
    readonly membersMax?: number;
  } = {},
): JsonFault | null {
  const pending: Visit[] = [{ value: root, trail: null, depth: 0 }];
  let members = 0;
  for (let visit = pending.pop(); visit; visit = pending.pop()) {
    const { value, trail, depth } = visit;
    if (Number.isNaN(value)) {
      return faultAt(trail, `Must be a whole number within ±${Number.MAX_SAFE_INTEGER}`);
    }
    // `1e400` is parsed as Infinity, which would be written as null.
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

/*
 * Whole numbers of JSON that no double holds exactly (definitions 7): parsed, they are other numbers, and nobody is told. One
 * that is written with an exponent names its rounding itself.
 */

/** Finds numbers with many digits. Most texts have none and need no second look. */
const MANY_DIGITS = /[0-9]{16}/;
const WHOLE = /^-?[0-9]+$/;

/** Names of members that accept any double. */
export interface RealNames {
  has(name: string): boolean;
}

const noNames = (): RealNames => ({ has: () => false });

/**
 * Returns the value with NaN for each number that no double represents; undefined if the JSON text has none. Members in
 * `reals`, and lists under such a name, keep their doubles as JavaScript writes them.
 */
export function markedJson(text: string, reals: () => RealNames = noNames): unknown {
  if (!MANY_DIGITS.test(text)) return undefined;
  const named = reals();
  let marks = 0;
  /** Doubles of lists, whose name is visited after their items. */
  const listed = new Map<unknown, Map<string, number>>();
  const value: unknown = JSON.parse(
    text,
    function (this: unknown, key, member, token?: { source?: string }) {
      const items = listed.get(member);
      if (items !== undefined && named.has(key)) {
        marks -= items.size;
        for (const [at, item] of items) Reflect.set(member, at, item);
      }
      if (typeof member !== "number" || Number.isSafeInteger(member)) return member;
      const source = token?.source ?? String(member);
      if (!WHOLE.test(source)) return member;
      const isOwnForm = source === String(member);
      if (isOwnForm && named.has(key)) return member;
      if (isOwnForm && Array.isArray(this)) {
        listed.set(this, (listed.get(this) ?? new Map()).set(key, member));
      }
      marks += 1;
      return NaN;
    },
  );
  return marks > 0 ? value : undefined;
}

/** Formats a parsed value as JSON. A number that came with an exponent gets one again. */
export function exactJsonText(value: unknown): string {
  const text = JSON.stringify(value);
  // A replacer is slow, and few values need it.
  return MANY_DIGITS.test(text) ? withExponents(value) : text;
}

function withExponents(value: unknown): string {
  return JSON.stringify(value, (_key, member) => {
    const isWide = typeof member === "number" && Number.isInteger(member) &&
      !Number.isSafeInteger(member);
    return isWide ? rawJson(member.toExponential()) : member;
  });
}

/** Calls `JSON.rawJSON`, which TypeScript's types lack. */
function rawJson(text: string): unknown {
  const raw: unknown = Reflect.get(JSON, "rawJSON");
  return typeof raw === "function" ? Reflect.apply(raw, JSON, [text]) : Number(text);
}

/**
 * Applies a JSON Merge Patch (RFC 7396, 2): sets the patch's members, merges objects, and removes members that the patch has as
 * null.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(isJsonObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}
