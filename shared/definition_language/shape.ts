/**
 * Shapes of the objects that authors write. A key stands once, with the kind of its value: the compiler's reader, the known
 * keys, the author's TypeScript type and the reference page follow from it, and its doc comment is its entry in all of them.
 */

/** Facts about every kind of value; `Author` is its type where an author writes it. */
interface Facts<Author> {
  /** The object does not stand without it. */
  readonly required?: boolean;
  /** Value of an absent key, and of a wrong one. */
  readonly default?: unknown;
  /** For the type checker only: nothing stands there. */
  readonly author?: Author;
}

/** Kind of a value, as data. */
export type Kind =
  | BooleanKind
  | TextKind
  | Word
  | Words
  | Matching
  | Integer
  | Fraction
  | OneOf
  | List
  | MapOf
  | Either
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

/** Keys that an object does not have and that authors bring nevertheless. */
interface Strangers {
  /** Keys of other implementations of the language: a warning. */
  readonly foreign?: readonly string[];
  /** Older spellings, each with its present place: an error that names it. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Each key may also be written as another file spells it, `zone_name` for `zoneName`. */
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

/** An object whose keys may also be written in snake_case: what it says goes into a file that spells them so. */
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
/** A text that names something: it keeps its place. `takes` says what it names. */
export function word<Author extends string = string>(takes: string): Word<Author> {
  return { kind: "word", takes };
}

export interface Words<Author extends string = string> extends Facts<readonly Author[]> {
  readonly kind: "words";
  readonly takes: string;
}
/** A list of such texts, none of them twice. */
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
  /** Subject of its keys. */
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
  /** In words, for what none of them takes; without, that is read as the last of them. */
  readonly takes?: string;
}
/** A value of one of several kinds, told apart by how it is written. */
export function either<const Options extends readonly Kind[]>(
  options: Options,
  takes?: string,
): Either<Options> {
  return takes === undefined ? { kind: "either", options } : { kind: "either", options, takes };
}

export interface Ruled<Author = unknown> extends Facts<Author> {
  readonly kind: "ruled";
  readonly takes: string;
}
/** A value that only a rule of its own can read: `takes` says in words what it is. */
export function ruled<Author>(takes: string): Ruled<Author> {
  return { kind: "ruled", takes };
}
