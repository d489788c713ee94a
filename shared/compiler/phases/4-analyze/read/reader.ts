/** Defines typed readers of located values. A reader returns `undefined` when it has already reported an error. */
import { quote } from "../../../diagnostics/wording.ts";
import type { Report } from "../../../diagnostics/report.ts";
import type { Place } from "../../../diagnostics/diagnostic.ts";
import type { Value } from "../../values.ts";
import { RULE_FORMS } from "./other_words.ts";

/** Position of a reader in the definitions. */
export interface At {
  /** Dotted path of the value in the definitions: `tickets.read.views`, `providers.auth.session`. */
  readonly path: string;
  readonly report: Report;
  /** Suggestion in place of a function, because this part of the definitions is data. */
  readonly functionForm?: string;
}

export type Reader<T> = (value: Value, at: At) => T | undefined;

/** Word with its place, for later checks. */
export interface Token {
  readonly text: string;
  readonly place: Place;
}

/** Returns the position of a member. */
export function below(at: At, key: string): At {
  return { ...at, path: at.path === "" ? key : `${at.path}.${key}` };
}

/** Returns the position of an item of a list. */
export function itemAt(at: At, index: number): At {
  return { ...at, path: `${at.path}[${index}]` };
}

/** Returns the same position in a rule, which the compiler reads as data; `rule` is the rule's key. */
export function asRule(at: At, rule: keyof typeof RULE_FORMS): At {
  return { ...at, functionForm: RULE_FORMS[rule] };
}

/**
 * Reports a value of the wrong kind; an unreadable one was reported where it was read. `form` is the suggestion for its place;
 * for a function, the position has the suggestion.
 */
export function wrongType(
  value: Value,
  expected: string,
  at: At,
  form: string | null = null,
): undefined {
  if (value.kind === "unreadable") return undefined;
  const found = described(value);
  const isFunction = value.kind === "function" || value.kind === "thunk";
  const way = form ?? (isFunction ? at.functionForm ?? null : null);
  at.report.add("VALUE_TYPE", value.place, { path: at.path, expected, found, form: way });
  return undefined;
}

/** Reports a value of the right kind that is out of its range. */
export function invalidValue(value: Value, expected: string, at: At): undefined {
  at.report.add("VALUE_INVALID", value.place, { path: at.path, expected, found: described(value) });
  return undefined;
}

/** Describes a value in the words of a message. */
export function described(value: Value): string {
  switch (value.kind) {
    case "string":
      return quote(value.value);
    case "number":
    case "boolean":
      return String(value.value);
    case "null":
      return "null";
    case "array":
      return value.items.length === 0 ? "an empty list" : "a list";
    case "object":
      return value.entries.length === 0 ? "an empty object" : "an object";
    case "call":
      return `a call of ${value.callee}()`;
    case "reference":
      return `the binding ${[value.target.name, ...value.members].join(".")}`;
    case "thunk":
    case "function":
      return "a function";
    case "regex":
      return "a regular expression";
    case "unreadable":
      return value.construct;
  }
}
