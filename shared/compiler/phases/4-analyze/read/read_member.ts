/** Reads values by the kind that a shape declares for them. */
import type * as s from "../../../../definition_language/shape.ts";
import type { Value } from "../../values.ts";
import { type Fields, noFields, readFields, requireKey } from "./fields.ts";
import { VALUE_FORMS } from "./other_words.ts";
import { type At, below, type Token, wrongType } from "./reader.ts";
import * as scalars from "./scalars.ts";

/** Type of a value of this kind after reading: words with their places, objects as their fields. */
type ReadOf<Of> = s.Kind extends Of ? unknown
  : Of extends s.Shape<infer Own> ? Fields<Own>
  : Of extends s.List<infer Item> ? readonly ReadOf<Item>[]
  : Of extends s.MapOf<infer Member>
    ? readonly { readonly key: Token; readonly value: ReadOf<Member> }[]
  : Of extends s.Either<infer Options> ? ReadOf<Options[number]>
  : Of extends s.Word ? Token
  : Of extends s.Words ? readonly Token[]
  : Of extends s.Ruled ? never
  : Of extends { readonly author?: infer Author } ? Author
  : never;

type MemberOf<Of> = Of extends { readonly default: infer Default } ? ReadOf<Of> | Default
  : Of extends s.Shape ? ReadOf<Of>
  : ReadOf<Of> | undefined;

/**
 * Reads one member as its shape declares it. Reports a wrong member, and a required one that is absent. An absent or wrong
 * member becomes its default; an object, one without members.
 */
export function read<Own extends s.Members, Key extends keyof Own & string>(
  fields: Fields<Own>,
  key: Key,
): MemberOf<Own[Key]>;
export function read(fields: Fields, key: string): unknown {
  const kind = fields.members[key];
  const entry = fields.entries.get(key);
  if (!kind) return undefined;
  if (kind.required) requireKey(fields, key);
  const at = below(fields.at, key);
  const value = entry && readKind(kind, entry.value, at);
  if (value !== undefined) return value;
  return kind.kind === "object" ? noFields(kind, fields.place, at) : kind.default;
}

/** Reads members whose values are not used, so that mistakes in them are found. */
export function checkMembers(fields: Fields): void {
  for (const key of fields.entries.keys()) read(fields, key);
}

/** Returns a reader of a value of this kind that belongs to no key. */
export function kindReader<Of extends s.Kind>(
  kind: Of,
): (value: Value, at: At) => ReadOf<Of> | undefined;
export function kindReader(kind: s.Kind) {
  return (value: Value, at: At) => readKind(kind, value, at);
}

function readKind(kind: s.Kind, value: Value, at: At): unknown {
  switch (kind.kind) {
    case "boolean":
      return scalars.readBoolean(value, at);
    case "text":
      return scalars.readText(value, at);
    case "word":
      return scalars.readToken(value, at);
    case "words":
      return scalars.readTokens(value, at);
    case "matching":
      return scalars.matching(kind.pattern, kind.takes)(value, at);
    case "origin":
      return scalars.readOrigin(value, at);
    case "url":
      return scalars.readUrl(value, at);
    case "json":
      return scalars.readJson(value, at);
    case "integer":
      return scalars.integer(kind.from, kind.to)(value, at);
    case "fraction":
      return scalars.readFraction(value, at);
    case "oneOf":
      return scalars.oneOf(kind.options, VALUE_FORMS)(value, at);
    case "list":
      return scalars.listOf(kindReader(kind.item))(value, at);
    case "map":
      return scalars.mapOf(kindReader(kind.member))(value, at);
    case "object":
      return readFields(value, kind, at);
    case "either": {
      const fitting = kind.options.find((option) => fits(option, value)) ??
        (kind.takes === undefined ? kind.options.at(-1) : undefined);
      return fitting
        ? readKind(fitting, value, at)
        : wrongType(value, kind.takes ?? "another value", at);
    }
    case "ruled":
      throw new Error(`Only a rule can read "${at.path}"`);
  }
}

/** True when a value has the form of this kind, right or wrong. */
function fits(kind: s.Kind, value: Value): boolean {
  switch (kind.kind) {
    case "boolean":
      return value.kind === "boolean";
    case "integer":
    case "fraction":
      return value.kind === "number";
    case "oneOf":
      return kind.options.some((option) =>
        typeof option === "string"
          ? value.kind === "string"
          : "value" in value && value.value === option
      );
    case "text":
    case "word":
    case "matching":
    case "origin":
    case "url":
      return value.kind === "string";
    case "json":
      return true;
    case "words":
    case "list":
      return value.kind === "array";
    case "map":
    case "object":
      return value.kind === "object";
    case "either":
    case "ruled":
      return false;
  }
}
