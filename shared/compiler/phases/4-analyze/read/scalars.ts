/** Reads single values, lists of them, and any JSON. */
import { nearest } from "../../../../lib/nearest.ts";
import type { JsonValue } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { formFor } from "./other_words.ts";
import type { At, Reader, Token } from "./reader.ts";
import { below, described, invalidValue, itemAt, wrongType } from "./reader.ts";

export function readString(value: Value, at: At): string | undefined {
  return value.kind === "string" ? value.value : wrongType(value, "a string", at);
}

export function readBoolean(value: Value, at: At): boolean | undefined {
  return value.kind === "boolean" ? value.value : wrongType(value, "true or false", at);
}

/** Reads a string with its place. */
export function readToken(value: Value, at: At): Token | undefined {
  const text = readString(value, at);
  return text === undefined ? undefined : { text, place: value.place };
}

/** Reads a string that is not empty. */
export function readText(value: Value, at: At): string | undefined {
  const text = readString(value, at);
  return text === "" ? invalidValue(value, "a text that is not empty", at) : text;
}

/** Returns a reader of a string of this form; `expected` describes the form in words. */
export function matching(pattern: RegExp, expected: string): Reader<string> {
  return (value, at) => {
    const text = readString(value, at);
    if (text === undefined || pattern.test(text)) return text;
    return invalidValue(value, expected, at);
  };
}

/** Reads an origin: scheme, host and port alone. */
export function readOrigin(value: Value, at: At): string | undefined {
  const text = readString(value, at);
  if (text === undefined) return undefined;
  const isOrigin = /^https?:\/\/[^*]+$/.test(text) && URL.parse(text)?.origin === text;
  const expected = "an origin such as https://app.example.com, without path or *";
  return isOrigin ? text : invalidValue(value, expected, at);
}

/**
 * Reads a URL and returns its usual spelling, without a slash at its end. Callers append to it, so it has no query and no
 * fragment.
 */
export function readUrl(value: Value, at: At): string | undefined {
  const text = readString(value, at);
  if (text === undefined) return undefined;
  const url = /^https?:\/\/[^\s*?#@\\]+$/.test(text) ? URL.parse(text) : null;
  const expected = "a URL such as https://app.example.com, without ? or #";
  return url ? url.href.replace(/\/+$/, "") : invalidValue(value, expected, at);
}

/** Returns a reader of an integer from `from` to `to`. */
export function integer(from: number, to: number = Number.MAX_SAFE_INTEGER): Reader<number> {
  const expected = to === Number.MAX_SAFE_INTEGER
    ? `an integer of at least ${from}`
    : `an integer from ${from} to ${to}`;
  return (value, at) => {
    if (value.kind !== "number") return wrongType(value, expected, at);
    const { value: found } = value;
    return Number.isSafeInteger(found) && found >= from && found <= to
      ? found
      : invalidValue(value, expected, at);
  };
}

/** Reads a number from 0 to 1. */
export function readFraction(value: Value, at: At): number | undefined {
  const expected = "a number from 0 to 1";
  if (value.kind !== "number") return wrongType(value, expected, at);
  return value.value >= 0 && value.value <= 1 ? value.value : invalidValue(value, expected, at);
}

/** Returns a reader of one of these literals. A near miss gets a suggestion; a word of `forms` gets the suggestion there. */
export function oneOf<const T extends string | number | boolean>(
  options: readonly T[],
  forms: Readonly<Record<string, string>> = {},
): Reader<T> {
  return (value, at) => {
    if (value.kind === "unreadable") return undefined;
    const found = "value" in value && typeof value.value !== "object" ? value.value : undefined;
    const option = options.find((candidate) => candidate === found);
    if (option !== undefined) return option;
    if (typeof found !== "string" && !options.some((other) => typeof other === typeof found)) {
      return wrongType(value, listed(options), at);
    }
    at.report.add("VALUE_UNKNOWN", value.place, {
      path: at.path,
      found: described(value),
      options: listed(options),
      nearest: nearest(String(found), options.filter((other) => typeof other === "string")),
      form: formFor(String(found), forms),
    });
    return undefined;
  };
}

function listed(options: readonly (string | number | boolean)[]): string {
  const all = options.map((option) => JSON.stringify(option)).join(", ");
  return options.length === 1 ? all : `one of ${all}`;
}

/** Returns a reader of a list. It leaves out members that cannot be read, so that the others are still checked. */
export function listOf<T>(reader: Reader<T>): Reader<readonly T[]> {
  return (value, at) => {
    // The value may be one word in place of a list.
    if (value.kind !== "array") {
      return wrongType(
        value,
        "a list",
        at,
        value.kind === "string" ? `Write [${described(value)}]` : null,
      );
    }
    return value.items.flatMap((item, index) => {
      const member = reader(item, itemAt(at, index));
      return member === undefined ? [] : [member];
    });
  };
}

/** Reads a list of words with their places; a repeated word is reported. */
export function readTokens(value: Value, at: At): readonly Token[] | undefined {
  const tokens = listOf(readToken)(value, at);
  if (tokens) {
    const seen = new Set<string>();
    for (const { text, place } of tokens) {
      if (seen.has(text)) at.report.add("LISTED_TWICE", place, { name: text, path: at.path });
      seen.add(text);
    }
  }
  return tokens;
}

/** Returns a reader of an object with free keys. The same reader reads each member, in source order. */
export function mapOf<T>(
  reader: Reader<T>,
): Reader<readonly { readonly key: Token; readonly value: T }[]> {
  return (value, at) => {
    if (value.kind !== "object") return wrongType(value, "an object", at);
    return value.entries.flatMap((entry) => {
      const member = reader(entry.value, below(at, entry.key));
      const key = { text: entry.key, place: entry.keyPlace };
      return member === undefined ? [] : [{ key, value: member }];
    });
  };
}

/** Reads any JSON value. Members become own properties, whatever their key. */
export function readJson(value: Value, at: At): JsonValue | undefined {
  switch (value.kind) {
    case "string":
    case "number":
    case "boolean":
      return value.value;
    case "null":
      return null;
    case "array":
      return collected(value.items.map((item) => readJson(item, at)));
    case "object": {
      const members = value.entries.map((entry) => readJson(entry.value, below(at, entry.key)));
      const known = collected(members);
      if (known === undefined) return undefined;
      const keys = value.entries.map((entry) => entry.key);
      return Object.fromEntries(keys.map((key, index) => [key, known[index] ?? null]));
    }
    default:
      return wrongType(value, "a literal value", at);
  }
}

function collected(values: readonly (JsonValue | undefined)[]): readonly JsonValue[] | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length ? known : undefined;
}
