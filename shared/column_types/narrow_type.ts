/**
 * Narrowed column types (definitions 2, `compiler.migrations`): the values that a new type no longer accepts, and which stored
 * rows may have.
 */
import type { JsonValue } from "../contract/mod.ts";
import { type Conversion, conversionOf, formOf, typeName } from "./convert_type.ts";
import { type ColumnType, isItemType, valuesOf } from "./mod.ts";

type FactOf<Type> = Type extends unknown ? Exclude<keyof Type, "kind"> : never;
type Fact = FactOf<ColumnType>;
type Facts = { readonly [Name in Fact]?: JsonValue };

interface Narrowing {
  /** The limit in words after "takes", such as `at most 50 characters`. */
  readonly words: string;
  /** True when the author can accept existing rows beyond the limit. They can still be read and described. */
  readonly isAcceptable: boolean;
}

type Judgement = (facts: {
  readonly name: Fact;
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly to: ColumnType;
}) => Narrowing | null;

const isNumber = (value: unknown) => typeof value === "number";
const listOf = (value: JsonValue | undefined) => Array.isArray(value) ? value : null;

const less: Judgement = ({ name, before, after }) =>
  isNumber(after) && !(isNumber(before) && Number(before) <= Number(after))
    ? { words: `${name} ${after}`, isAcceptable: name !== "precision" }
    : null;

const more: Judgement = ({ name, before = 0, after = 0 }) =>
  Number(after) > Number(before) ? { words: `${name} ${after}`, isAcceptable: true } : null;

/** Judges a bound: it narrows if the old bound is outside of the new one. */
const bound: Judgement = ({ name, before, after, to }) =>
  after !== undefined &&
    (before === undefined || before === null || valuesOf({ type: to }).mismatch(before) !== null)
    ? { words: `${name} ${after}`, isAcceptable: true }
    : null;

const other: Judgement = ({ name, before, after }) =>
  after !== undefined && after !== before
    ? { words: `${name} ${JSON.stringify(after)}`, isAcceptable: true }
    : null;

const fewer: Judgement = ({ before, after }) => {
  const [old, now] = [listOf(before), listOf(after)];
  if (now === null) return null;
  const gone = (old ?? []).filter((value) => !now.includes(value));
  if (old !== null && gone.length === 0) return null;
  const words = old === null
    ? `only ${now.map((value) => JSON.stringify(value)).join(", ")}`
    : `${gone.map((value) => JSON.stringify(value)).join(", ")} no longer`;
  return { words, isAcceptable: false };
};

const free: Judgement = () => null;

/** Judgements of every fact of every type. A fact narrows the type, or says nothing about stored values. */
const JUDGEMENTS: Readonly<Record<Fact, Judgement>> = {
  maxLength: less,
  minLength: more,
  pattern: other,
  enum: fewer,
  values: fewer,
  min: bound,
  max: bound,
  maxItems: less,
  // These are judged together below.
  precision: free,
  scale: free,
  of: free,
  examples: free,
  // These are judged when a file or vector is written, or when a member goes.
  onMemberRemoved: free,
  maxSize: free,
  types: free,
  dimensions: free,
  metric: free,
  from: free,
  scope: free,
};

/** Effect of a new type on a column's values; null: none of them is a value of the new type. */
export interface TypeChange {
  readonly conversion: Conversion;
  /** True when the values are of another kind or stored in another form. */
  readonly isConverted: boolean;
  /** True when a stored value may be invalid for the new type. */
  readonly needsCheck: boolean;
  /** The limits that the new type adds, for types of one kind. */
  readonly narrowings: readonly string[];
  /** True when the author can accept rows beyond all of these limits. */
  readonly isAcceptable: boolean;
  /** True when digits behind the point or times of day are lost, if that is allowed. */
  readonly isCutting: boolean;
  /** The type that existing rows must satisfy. */
  readonly required: ColumnType;
}

/**
 * Judges a change of type. With `isAccepted` rows beyond a length, a bound or a pattern stay. `isLossy` is that of
 * `conversionOf`.
 */
export function typeChange(
  before: ColumnType,
  after: ColumnType,
  { isAccepted, isLossy }: { readonly isAccepted: boolean; readonly isLossy: boolean },
): TypeChange | null {
  const conversion = conversionOf({ from: before, to: after, isLossy });
  if (conversion === null) return null;
  const [from, to] = [formOf(before), formOf(after)];
  const isOfOneKind = from.kind === to.kind;
  // A type of another kind brings all its own limits.
  const limits = (isOfOneKind ? narrowings(from, to) : judged({ kind: to.kind }, to))
    .filter(({ isAcceptable }) => !isAccepted || !isAcceptable);
  return {
    conversion,
    isConverted: !isOfOneKind || conversion.sql !== null,
    // A value that another tool stored against the old type is never converted.
    needsCheck: limits.length > 0 || conversion.sql !== null ||
      (!isOfOneKind && !conversion.isTotal),
    narrowings: isOfOneKind ? limits.map(({ words }) => words) : [],
    isAcceptable: limits.every((limit) => limit.isAcceptable),
    isCutting: isLossy && conversion.isCutting,
    required: isAccepted ? openedType(after) : after,
  };
}

/** Returns the limits that the new type adds; none if it accepts every old value. Both types are of one kind. */
function narrowings(from: ColumnType, to: ColumnType): readonly Narrowing[] {
  if (to.kind === "file") return [];
  if (from.kind === "list" && to.kind === "list") {
    const items = from.of.kind === to.of.kind
      ? narrowings(from.of, to.of)
      : [{ words: `items that are ${typeName(to.of)}`, isAcceptable: false }];
    return [...judged(from, to), ...items];
  }
  return [...judged(from, to), ...fewerDigits(from, to)];
}

function judged(
  from: ColumnType | { readonly kind: ColumnType["kind"] },
  to: ColumnType,
): readonly Narrowing[] {
  const facts = (type: object): Facts => ({ ...type });
  const [old, now] = [facts(from), facts(to)];
  const names = Object.keys(JUDGEMENTS).filter((name): name is Fact =>
    Object.hasOwn(JUDGEMENTS, name)
  );
  return names.flatMap((name) => {
    const narrowing = JUDGEMENTS[name]({ name, before: old[name], after: now[name], to });
    return narrowing === null ? [] : [narrowing];
  });
}

function fewerDigits(from: ColumnType, to: ColumnType): readonly Narrowing[] {
  if (from.kind !== "decimal" || to.kind !== "decimal") return [];
  const isLess = to.precision - to.scale < from.precision - from.scale || to.scale < from.scale;
  const words = `precision ${to.precision}, scale ${to.scale}`;
  return isLess ? [{ words, isAcceptable: false }] : [];
}

/** Returns the type without the limits that the author has accepted to be exceeded. */
function openedType(type: ColumnType): ColumnType {
  switch (type.kind) {
    case "text":
      return { kind: type.kind, maxLength: null, enum: type.enum };
    case "url":
      return { ...type, maxLength: null };
    case "list": {
      const of = openedType(type.of);
      return {
        ...type,
        of: isItemType(of) ? of : type.of,
        maxItems: Number.MAX_SAFE_INTEGER,
      };
    }
    case "int":
    case "real":
    case "decimal":
    case "date":
    case "timestamp": {
      const { min: _min, max: _max, ...open } = type;
      return open;
    }
    default:
      return type;
  }
}
