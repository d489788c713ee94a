/**
 * Shapes of the objects that authors write. Each key is declared once, with the kind of its value. The compiler's reader, the
 * list of known keys, the author's TypeScript type and the reference page derive from it, and its doc comment is its entry in
 * all of them.
 */
import type { JsonValue } from "../contract/mod.ts";

/** Facts about every kind of value. `Author` is its type in definitions. */
interface Facts<Author> {
  /** True when the object is invalid without it. */
  readonly required?: boolean;
  /** Value that replaces a missing or invalid one. */
  readonly default?: unknown;
  /** Exists for the type checker only. */
  readonly author?: Author;
}

/** A kind of value, as data. */
export type Kind =
  | BooleanKind
  | TextKind
  | Word
  | Words
  | Matching
  | Address
  | Integer
  | Fraction
  | OneOf
  | List
  | MapOf
  | Either
  | Json
  | Ruled
  | Shape;

export type Members = Readonly<Record<string, Kind>>;

type AuthorOfKind<Of> = Of extends Facts<infer Author> ? Author : never;

type RequiredKey<Own> = {
  [Key in keyof Own]: Own[Key] extends { readonly required: true } ? Key : never;
}[keyof Own];

type AuthorOf<Own> =
  & {
    readonly [Key in keyof Own as Key extends RequiredKey<Own> ? Key : never]: AuthorOfKind<
      Own[Key]
    >;
  }
  & {
    readonly [Key in keyof Own as Key extends RequiredKey<Own> ? never : Key]?: AuthorOfKind<
      Own[Key]
    >;
  };

/** The author's type of a shape, or of a function that makes one: `interface View extends Written<typeof VIEW> {}`. */
export type Written<Of> = Of extends (...args: never) => infer Made ? AuthorOfKind<Made>
  : AuthorOfKind<Of>;

/** Treatment of keys that an object does not have. */
interface Strangers {
  /** Keys of other implementations of the language, which cause a warning. */
  readonly foreign?: readonly string[];
  /** Older spellings with their present place, which cause an error that names it. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** True when each key may also be written in snake_case, as another file spells it. */
  readonly takesSnakeCase?: boolean;
}

export interface Shape<Own extends Members = Members> extends Facts<AuthorOf<Own>>, Strangers {
  readonly kind: "object";
  readonly members: Own;
}

/** An object with known keys. */
export function object<const Own extends Members>(
  members: Own,
  strangers: Strangers = {},
): Shape<Own> {
  return { kind: "object", members, ...strangers };
}

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Text;

type InSnakeCase<Own> = { [Key in keyof Own as SnakeCase<Key & string>]: Own[Key] };

/** An object whose keys may also be written in snake_case, because they go into a file that spells them so. */
export function eitherCase<const Own extends Members>(
  members: Own,
): Shape<Own> & Facts<AuthorOf<Own> & AuthorOf<InSnakeCase<Own>>> {
  return { kind: "object", members, takesSnakeCase: true };
}

export function required<Of extends Kind>(kind: Of): Of & { readonly required: true } {
  return { ...kind, required: true };
}

export function byDefault<Of extends Kind, const Value>(
  kind: Of,
  value: Value,
): Of & { readonly default: Value } {
  return { ...kind, default: value };
}

interface BooleanKind extends Facts<boolean> {
  readonly kind: "boolean";
}
export const boolean: BooleanKind = { kind: "boolean" };

interface TextKind extends Facts<string> {
  readonly kind: "text";
}
/** A text that is not empty. */
export const text: TextKind = { kind: "text" };

export interface Word<Author extends string = string> extends Facts<Author> {
  readonly kind: "word";
  readonly takes: string;
}
/** A text that names something, with its place in the source. `takes` describes what it names. */
export function word<Author extends string = string>(takes: string): Word<Author> {
  return { kind: "word", takes };
}

export interface Words<Author extends string = string> extends Facts<readonly Author[]> {
  readonly kind: "words";
  readonly takes: string;
}
/** A list of different texts that name something. */
export function words<Author extends string = string>(takes: string): Words<Author> {
  return { kind: "words", takes };
}

export interface Matching extends Facts<string> {
  readonly kind: "matching";
  readonly pattern: RegExp;
  readonly takes: string;
}
export function matching(pattern: RegExp, takes: string): Matching {
  return { kind: "matching", pattern, takes };
}

/** An address on the web: an origin alone, or one with a path and without query and fragment. */
export interface Address extends Facts<string> {
  readonly kind: "origin" | "url";
}
export const origin: Address = { kind: "origin" };
export const url: Address = { kind: "url" };

export interface Integer extends Facts<number> {
  readonly kind: "integer";
  readonly from: number;
  readonly to?: number;
}
export function integer(from: number, to?: number): Integer {
  return to === undefined ? { kind: "integer", from } : { kind: "integer", from, to };
}

export interface Fraction extends Facts<number> {
  readonly kind: "fraction";
}
/** A number from 0 to 1. */
export const fraction: Fraction = { kind: "fraction" };

export interface OneOf<Option = string | number | boolean> extends Facts<Option> {
  readonly kind: "oneOf";
  readonly options: readonly Option[];
}
export function oneOf<const Option extends string | number | boolean>(
  options: readonly Option[],
): OneOf<Option> {
  return { kind: "oneOf", options };
}

export interface List<Item extends Kind = Kind> extends Facts<readonly AuthorOfKind<Item>[]> {
  readonly kind: "list";
  readonly item: Item;
}
export function list<Item extends Kind>(item: Item): List<Item> {
  return { kind: "list", item };
}

export interface MapOf<Member extends Kind = Kind, Key extends string = string>
  extends Facts<{ readonly [Own in Key]?: AuthorOfKind<Member> }> {
  readonly kind: "map";
  /** Subject of the keys, in words. */
  readonly by: string;
  readonly member: Member;
}
/** An object with free keys. */
export function map<Key extends string = string, Member extends Kind = Kind>(
  by: string,
  member: Member,
): MapOf<Member, Key> {
  return { kind: "map", by, member };
}

export interface Either<Options extends readonly Kind[] = readonly Kind[]>
  extends Facts<AuthorOfKind<Options[number]>> {
  readonly kind: "either";
  readonly options: Options;
  /** Words for a value that fits no option. Absent: the value is read as the last option. */
  readonly takes?: string;
}
/** A value of one of several kinds, distinguished by its notation. */
export function either<const Options extends readonly Kind[]>(
  options: Options,
  takes?: string,
): Either<Options> {
  return takes === undefined ? { kind: "either", options } : { kind: "either", options, takes };
}

export interface Json extends Facts<JsonValue> {
  readonly kind: "json";
}
/** Any JSON value, which is copied. */
export const json: Json = { kind: "json" };

export interface Ruled<Author = unknown> extends Facts<Author> {
  readonly kind: "ruled";
  readonly takes: string;
}
/** A value that a rule of its own reads. `takes` describes it in words. */
export function ruled<Author>(takes: string): Ruled<Author> {
  return { kind: "ruled", takes };
}
