/** What a column's new type takes less of than its old one (definitions 2, `compiler.migrations`): rows may hold values beyond it. */
import type { JsonValue } from "../contract/mod.ts";
import { type Conversion, conversionOf, formOf, typeName } from "./convert_type.ts";
import { type ColumnType, isItemType, valuesOf } from "./mod.ts";

type FactOf<Type> = Type extends unknown ? Exclude<keyof Type, "kind"> : never;
type Fact = FactOf<ColumnType>;
type Facts = { readonly [Name in Fact]?: JsonValue };

interface Narrowing {
  /** `at most 50 characters`: to follow "takes". */
  readonly words: string;
  /** Rows beyond it may stay where the author accepts them: they can be read and described. */
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

/** The old bound is not within the new ones. */
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

/** Every fact of every type: what is stored already may be beyond it, or it says nothing of stored values. */
const JUDGEMENTS: Readonly<Record<Fact, Judgement>> = {
  maxLength: less,
  minLength: more,
  pattern: other,
  enum: fewer,
  values: fewer,
  min: bound,
  max: bound,
  maxItems: less,
  // Together, below.
  precision: free,
  scale: free,
  of: free,
  examples: free,
  // Judged where a file or a vector comes in.
  maxSize: free,
  types: free,
  dimensions: free,
  metric: free,
  from: free,
  scope: free,
};

/** What becomes of a column's values; null: they are none of the new type. */
export interface TypeChange {
  readonly conversion: Conversion;
  /** They are of another kind, or stored in another form. */
  readonly isConverted: boolean;
  /** A stored value may be none of the new type. */
  readonly needsCheck: boolean;
  /** What the new type takes less of, of types of one kind. */
  readonly narrowings: readonly string[];
  /** Rows may stay beyond all of it where the author accepts them. */
  readonly isAcceptable: boolean;
  /** Digits behind the point or times of day are lost where that is allowed. */
  readonly isCutting: boolean;
  /** The new type, as far as rows must meet it. */
  readonly required: ColumnType;
}

/** `isAccepted`: rows beyond a length, a bound or a pattern stay. `isLossy`: as `conversionOf` takes it. */
export function typeChange(
  before: ColumnType,
  after: ColumnType,
  { isAccepted, isLossy }: { readonly isAccepted: boolean; readonly isLossy: boolean },
): TypeChange | null {
  const conversion = conversionOf({ from: before, to: after, isLossy });
  if (conversion === null) return null;
  const [from, to] = [formOf(before), formOf(after)];
  const isOfOneKind = from.kind === to.kind;
  const limits = (isOfOneKind ? narrowings(from, to) : limitsOf(to))
    .filter(({ isAcceptable }) => !isAccepted || !isAcceptable);
  return {
    conversion,
    isConverted: !isOfOneKind || conversion.sql !== null,
    // Another tool may have stored what is none of the old type: nothing is made of it.
    needsCheck: limits.length > 0 || conversion.sql !== null ||
      (!isOfOneKind && !conversion.isTotal),
    narrowings: isOfOneKind ? limits.map(({ words }) => words) : [],
    isAcceptable: limits.every((limit) => limit.isAcceptable),
    isCutting: isLossy && conversion.isCutting,
    required: isAccepted ? openedType(after) : after,
  };
}

/** None where every value of the old type is one of the new; of types of one kind. */
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

/** The limits that the type says, whatever its kind. */
function limitsOf(type: ColumnType): readonly Narrowing[] {
  return judged({ kind: type.kind }, type);
}

function judged(
  from: ColumnType | { readonly kind: ColumnType["kind"] },
  to: ColumnType,
): readonly Narrowing[] {
  const facts = (type: object): Facts => ({ ...type });
  const [old, now] = [facts(from), facts(to)];
  return names().flatMap((name) => {
    const narrowing = JUDGEMENTS[name]({ name, before: old[name], after: now[name], to });
    return narrowing === null ? [] : [narrowing];
  });
}

function names(): readonly Fact[] {
  return Object.keys(JUDGEMENTS).filter((name): name is Fact => Object.hasOwn(JUDGEMENTS, name));
}

function fewerDigits(from: ColumnType, to: ColumnType): readonly Narrowing[] {
  if (from.kind !== "decimal" || to.kind !== "decimal") return [];
  const isLess = to.precision - to.scale < from.precision - from.scale || to.scale < from.scale;
  const words = `precision ${to.precision}, scale ${to.scale}`;
  return isLess ? [{ words, isAcceptable: false }] : [];
}

/** The type without the limits that rows may be beyond where the author accepts them. */
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
