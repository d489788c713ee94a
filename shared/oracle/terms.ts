/**
 * Represents conditions in one form, so that a rule of the definitions and a condition of a statement can be compared. It
 * shares no code with the modules that write statements.
 */

export type Term =
  | { readonly kind: "true" | "false" }
  /** A comparison, or a condition that is not understood, which equals no other. */
  | { readonly kind: "atom"; readonly text: string; readonly values?: ListedValues }
  | { readonly kind: "all" | "any"; readonly of: readonly Term[] }
  | { readonly kind: "not"; readonly of: Term }
  | RelatedTerm;

/** A column whose value is one of these, or is none of them; with `withNull`, NULL matches, too. */
export interface ListedValues {
  readonly cell: string;
  readonly texts: readonly string[];
  readonly isIn: boolean;
  readonly withNull: boolean;
}

/** Rows of another table that a key relates to a row, and the conditions on them. */
export interface RelatedTerm {
  /** Kind of the relation. `unlisted`: the row's key is in no list of these rows, which is unknown while the key is null. */
  readonly kind: "some" | "unlisted";
  /** SQL name in lower case. */
  readonly table: string;
  /** Conditions on a related row: the tenant, the deletion, the key and all others. */
  readonly asked: Term;
  /** Texts of the atoms that are true if the row's own side of the key is null. */
  readonly absent: readonly string[];
}

export const TRUE: Term = { kind: "true" };
export const FALSE: Term = { kind: "false" };

export function atom(text: string, values?: ListedValues): Term {
  return { kind: "atom", text, ...(values ? { values } : {}) };
}

/** Returns a text that is equal for terms that differ only in order. */
export function termText(term: Term): string {
  switch (term.kind) {
    case "true":
    case "false":
      return term.kind;
    case "atom":
      return term.text;
    case "all":
    case "any":
      return `${term.kind}(${term.of.map(termText).sort().join("; ")})`;
    case "not":
      return `not(${termText(term.of)})`;
    case "some":
    case "unlisted":
      return `${term.kind} ${term.table}(${termText(term.asked)})`;
  }
}

export function all(parts: readonly Term[]): Term {
  const of = distinct(parts.flatMap((part) => part.kind === "all" ? part.of : [part]))
    .filter(({ kind }) => kind !== "true");
  if (of.some(({ kind }) => kind === "false")) return FALSE;
  const [only] = of;
  return only === undefined ? TRUE : of.length === 1 ? only : { kind: "all", of };
}

export function any(parts: readonly Term[]): Term {
  const of = distinct(listed(parts.flatMap((part) => part.kind === "any" ? part.of : [part])))
    .filter(({ kind }) => kind !== "false");
  if (of.some(({ kind }) => kind === "true")) return TRUE;
  const [only] = of;
  return only === undefined ? FALSE : of.length === 1 ? only : { kind: "any", of };
}

export function not(of: Term): Term {
  if (of.kind === "true") return FALSE;
  return of.kind === "false" ? TRUE : { kind: "not", of };
}

/**
 * Removes conditions that others imply. A key that is null or in no list of rows has none of these rows, so a condition that
 * the key is null adds nothing.
 */
function listed(parts: readonly Term[]): readonly Term[] {
  const texts = new Set(parts.map(termText));
  const told = parts.map((part) =>
    part.kind === "unlisted" && part.absent.every((one) => texts.has(one))
      ? not({ ...part, kind: "some" })
      : part
  );
  const absorbed = new Set(
    told.flatMap((part) => part.kind === "not" && part.of.kind === "some" ? part.of.absent : []),
  );
  return told.filter((part) => !absorbed.has(termText(part)));
}

function distinct(parts: readonly Term[]): readonly Term[] {
  return [...new Map(parts.map((part) => [termText(part), part])).values()];
}

/** True when every row that meets the condition meets the rule, as far as their forms show. */
export function implies(condition: Term, rule: Term): boolean {
  if (condition.kind === "false" || rule.kind === "true") return true;
  if (termText(condition) === termText(rule)) return true;
  if (condition.kind === "atom" && rule.kind === "atom") {
    return listsWithin(condition.values, rule.values);
  }
  if (condition.kind === "some" && rule.kind === "some") {
    return condition.table === rule.table && implies(condition.asked, rule.asked);
  }
  if (condition.kind === "not" && rule.kind === "not") return implies(rule.of, condition.of);
  if (rule.kind === "all") return rule.of.every((part) => implies(condition, part));
  if (condition.kind === "any") return condition.of.every((part) => implies(part, rule));
  if (condition.kind === "all" && condition.of.some((part) => implies(part, rule))) return true;
  return rule.kind === "any" && rule.of.some((part) => implies(condition, part));
}

/** True when the other list admits every value that the one admits. */
function listsWithin(one: ListedValues | undefined, other: ListedValues | undefined): boolean {
  if (!one || !other || one.cell !== other.cell) return false;
  if (one.withNull && !other.withNull) return false;
  const [own, others] = [new Set(one.texts), new Set(other.texts)];
  if (one.isIn) return other.isIn ? own.isSubsetOf(others) : own.isDisjointFrom(others);
  return !other.isIn && others.isSubsetOf(own);
}
