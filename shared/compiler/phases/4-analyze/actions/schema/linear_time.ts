/**
 * Proves that a pattern matches in linear time for every input (definitions 5). An author's pattern runs in the generated API,
 * where one slow match would delay every request. A pattern without a proof is refused.
 */
import recheck from "recheck/browser";

/** Length limit of a pattern, in characters. A person writes no longer one. */
const LENGTH_MAX = 1000;

/** Limit of the parts of a pattern: the lookaheads at its beginning and the rest. Each part needs its own proof. */
const PARTS_MAX = 10;

/** Limit of the steps that counted repetitions may cost when every way to split them is tried. */
const STEPS_MAX = 1_000_000;

/** Largest exact count that a proof writes out as characters. A larger one would make the proof large. */
const WRITTEN_OUT_MAX = 32;

/**
 * Time limit of a proof, in milliseconds. A proof blocks its thread. Typical patterns take milliseconds and an IBAN a second,
 * so that a busy machine accepts the same patterns as an idle one.
 */
const PROOF_MAX_MS = 8_000;

interface Verdict {
  readonly kind: "linear" | "polynomial" | "exponential" | "unknown";
  readonly degree: number;
}

/** Returns the fault of a pattern; null if it matches in linear time. */
export function patternFault(source: string, flags: string): string | null {
  if (source.length > LENGTH_MAX) return `it is longer than ${LENGTH_MAX} characters`;
  if (!isValid(source, flags)) return "it is no valid pattern";
  // `^(?=a)(?!b)c` is matched as `^(?:a)`, `^(?:b)` and `^c`, each once. A lookahead elsewhere runs at every position.
  const bodies: string[] = [];
  let rest = source;
  for (let end = leadingLookaheadEnd(rest); end !== null; end = leadingLookaheadEnd(rest)) {
    bodies.push(`^(?:${rest.slice("^(?=".length, end)})`);
    rest = `^${rest.slice(end + 1)}`;
  }
  const parts = [...bodies, rest];
  if (parts.length > PARTS_MAX) return faultOf({ kind: "unknown" });
  return parts.map((part) => partFault(part, flags)).find((fault) => fault !== null) ?? null;
}

function isValid(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/**
 * Proves a part of a pattern, first with the limits of its counts removed. That open pattern is smaller and can match in every
 * way that the counted one can. The costly proof of the written-out text is needed only if the limits make the pattern linear.
 * The open pattern ends in `$`, because `(?:a{1,50}){50}` can fail and `(?:a+)+` never does.
 */
function partFault(source: string, flags: string): string | null {
  const { text, largest, countsNothing } = withOpenCounts(source, flags);
  if (countsNothing) return faultOf({ kind: "exponential" });
  if (text === source) return faultOf(verdictOf(source, flags));
  const open = verdictOf(`(?:${text})$`, flags);
  if (open.kind === "linear" || open.kind === "unknown") return faultOf(open);
  // This proof covers a match from one position. The proof of the pattern's own text covers the number of positions.
  const here = verdictOf(`^(?:${text})$`, flags);
  const isBounded = here.kind === "polynomial" && largest ** here.degree <= STEPS_MAX;
  if (here.kind !== "linear" && !isBounded) return faultOf(here);
  return faultOf(verdictOf(source, flags));
}

function faultOf({ kind }: Pick<Verdict, "kind">): string | null {
  if (kind === "linear") return null;
  return kind === "unknown"
    ? "it cannot be proved to match in linear time"
    : `matching it can take ${kind} time`;
}

function verdictOf(source: string, flags: string): Verdict {
  const { status, complexity } = recheck.checkSync(source, flags.replace(/[gdvy]/g, ""), {
    checker: "automaton",
    maxPatternSize: 2 * LENGTH_MAX,
    maxNFASize: 20_000,
    timeout: PROOF_MAX_MS,
  });
  if (status === "unknown" || flags.includes("v")) return { kind: "unknown", degree: 0 };
  if (complexity.type === "polynomial") return { kind: "polynomial", degree: complexity.degree };
  return { kind: complexity.type === "exponential" ? "exponential" : "linear", degree: 1 };
}

function leadingLookaheadEnd(source: string): number | null {
  if (!/^\^\(\?[=!]/.test(source)) return null;
  let depth = 0;
  for (const { token, at } of tokensOf(source)) {
    if (token.startsWith("(")) depth++;
    else if (token === ")" && --depth === 0) {
      // A quantifier after the group would repeat it.
      return /^[*+?{]/.test(source.slice(at + 1)) ? null : at;
    }
  }
  return null;
}

/**
 * Returns the pattern with `{n,m}` as `+` or `*`, unless it counts one character exactly, and with `?` as `*` in counted
 * groups. The analysis considers everything finite safe, although `(a?){50}a{50}` has 2^50 ways to fail. A pattern without
 * counts is unchanged.
 */
function withOpenCounts(source: string, flags: string): Opened {
  const tokens = [...tokensOf(source)].map(({ token }) => token);
  const counts = tokens.map((token) => COUNT.exec(token));
  const largest = Math.max(1, ...counts.map((count) => Number(count?.[2] ?? count?.[1] ?? 1)));
  if (largest === 1) return { text: source, largest, countsNothing: false };
  const open: number[] = [];
  const groups: Group[] = [];
  for (const [end, token] of tokens.entries()) {
    if (token === "(") open.push(end);
    if (token !== ")") continue;
    const start = open.pop() ?? 0;
    if (COUNT.test(tokens[end + 1] ?? "")) groups.push({ start, end });
  }
  const opened = tokens.map((token, index) => {
    const count = counts[index];
    if (count && isOneWay(count, tokens[index - 1])) return token;
    if (count) return count[1] === "0" ? "*" : "+";
    if (token !== "?" || !isQuantifiable(tokens[index - 1] ?? "(")) return token;
    return groups.some(({ start, end }) => start < index && index < end) ? "*" : token;
  });
  const countsNothing = groups.some(({ start, end }) =>
    canBeEmpty(opened.slice(start, end + 1), flags)
  );
  return { text: opened.join(""), largest, countsNothing };
}

/** True for a count that matches in one way only, as in `\d{4}`. Opened, `(?:\d{4} ?){3}` would look like `(?:\d+ ?)+`. */
function isOneWay([, least = "", most = least]: RegExpExecArray, counted = ")"): boolean {
  return counted !== ")" && least === most && Number(least) <= WRITTEN_OUT_MAX;
}

/**
 * True when a counted group can match the empty text. `(?:|a){50}` can take an `a` in any of its rounds, so it has many ways to
 * match.
 */
function canBeEmpty(group: readonly string[], flags: string): boolean {
  const text = group.map((token) => ASSERTIONS.has(token) ? "(?:)" : token).join("");
  try {
    return new RegExp(`^${text}$`, flags.replace(/[gy]/g, "")).test("");
  } catch (error) {
    // The group refers to a group outside of itself.
    if (error instanceof SyntaxError) return true;
    throw error;
  }
}

const ASSERTIONS: ReadonlySet<string> = new Set(["^", "$", "\\b", "\\B"]);

interface Opened {
  readonly text: string;
  readonly largest: number;
  /** True when the pattern has a count whose rounds may match the empty text. */
  readonly countsNothing: boolean;
}

interface Group {
  readonly start: number;
  readonly end: number;
}

const COUNT = /^\{(\d+)(?:,(\d+))?\}$/;

/**
 * True when a quantifier may follow this token. A question mark opens a special group after `(`, and makes a quantifier lazy.
 */
function isQuantifiable(token: string): boolean {
  return !["(", "*", "+", "?"].includes(token) && !token.startsWith("{");
}

/** Splits a pattern into tokens: an escape, a class or a count is one token, every other character is one, too. */
const TOKEN = /\\u\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/g;

function* tokensOf(source: string): Iterable<{ readonly token: string; readonly at: number }> {
  for (const match of source.matchAll(TOKEN)) yield { token: match[0], at: match.index };
}
