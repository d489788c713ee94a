/**
 * Whether a pattern can be matched in time linear in its input, for every input (definitions 5). Patterns of authors run in the
 * generated API, where one slow match stops everybody. What cannot be proved is refused.
 */
import recheck from "recheck/browser";

/** Longer patterns are no patterns that a person wrote. */
const LENGTH_MAX = 1000;

/** Steps that counted repetitions may cost at most, all ways to split them tried. */
const STEPS_MAX = 1_000_000;

interface Verdict {
  readonly kind: "linear" | "polynomial" | "exponential" | "unknown";
  readonly degree: number;
}

/** Why a pattern is refused; null: it is linear. */
export function patternFault(source: string, flags: string): string | null {
  if (source.length > LENGTH_MAX) return `it is longer than ${LENGTH_MAX} characters`;
  if (!isValid(source, flags)) return "it is no valid pattern";
  const parts = withoutLeadingLookaheads(source);
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

function partFault(source: string, flags: string): string | null {
  const own = verdictOf(source, flags);
  if (own.kind !== "linear") return faultOf(own);
  const { text, largest } = withOpenCounts(source);
  if (text === source) return null;
  const open = verdictOf(text, flags);
  const bounded = open.kind === "polynomial" && largest ** open.degree <= STEPS_MAX;
  return open.kind === "linear" || bounded ? null : faultOf(open);
}

function faultOf({ kind }: Verdict): string {
  return kind === "unknown"
    ? "it cannot be proved to match in linear time"
    : `matching it can take ${kind} time`;
}

function verdictOf(source: string, flags: string): Verdict {
  const { status, complexity } = recheck.checkSync(source, flags.replace(/[gdvy]/g, ""), {
    checker: "automaton",
    maxPatternSize: 2 * LENGTH_MAX,
    maxNFASize: 20_000,
    timeout: 10_000,
  });
  if (status === "unknown" || flags.includes("v")) return { kind: "unknown", degree: 0 };
  if (complexity.type === "polynomial") return { kind: "polynomial", degree: complexity.degree };
  return { kind: complexity.type === "exponential" ? "exponential" : "linear", degree: 1 };
}

/** `^(?=a)(?!b)c` is matched as `^(?:a)`, `^(?:b)` and `^c`, each once. Elsewhere a lookahead runs at every position. */
function withoutLeadingLookaheads(source: string): readonly string[] {
  const bodies: string[] = [];
  let rest = source;
  for (let end = leadingLookaheadEnd(rest); end !== null; end = leadingLookaheadEnd(rest)) {
    bodies.push(`^(?:${rest.slice("^(?=".length, end)})`);
    rest = `^${rest.slice(end + 1)}`;
  }
  return [...bodies, rest];
}

function leadingLookaheadEnd(source: string): number | null {
  if (!/^\^\(\?[=!]/.test(source)) return null;
  let depth = 0;
  for (const { token, at } of tokensOf(source)) {
    if (token.startsWith("(")) depth++;
    else if (token === ")" && --depth === 0) {
      // A quantifier would repeat it.
      return /^[*+?{]/.test(source.slice(at + 1)) ? null : at;
    }
  }
  return null;
}

/**
 * The pattern with `{n,m}` as `+` or `*` and `?` as `*`: the analysis calls whatever is finite safe, though `(a?){50}a{50}`
 * has 2^50 ways to fail. A pattern without counts stays as it is.
 */
function withOpenCounts(source: string): { readonly text: string; readonly largest: number } {
  const tokens = [...tokensOf(source)].map(({ token }) => token);
  const counts = tokens.map((token) => COUNT.exec(token));
  const largest = Math.max(1, ...counts.map((count) => Number(count?.[2] ?? count?.[1] ?? 1)));
  if (largest === 1) return { text: source, largest };
  const opened = tokens.map((token, index) => {
    const count = counts[index];
    if (count) return count[1] === "0" ? "*" : "+";
    return token === "?" && isQuantifiable(tokens[index - 1] ?? "(") ? "*" : token;
  });
  return { text: opened.join(""), largest };
}

const COUNT = /^\{(\d+)(?:,(\d+))?\}$/;

/** After `(` a question mark opens a special group, after a quantifier it makes that one lazy. */
function isQuantifiable(token: string): boolean {
  return !["(", "*", "+", "?"].includes(token) && !token.startsWith("{");
}

/** Escapes, classes and counts whole, every other character alone. */
const TOKEN = /\\u\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^]/g;

function* tokensOf(source: string): Iterable<{ readonly token: string; readonly at: number }> {
  for (const match of source.matchAll(TOKEN)) yield { token: match[0], at: match.index };
}
