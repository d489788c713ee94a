/** Converts types of PostgreSQL, MySQL and SQLite to types of the definition language. */
import { decimalOf, type DraftType, JSON_TYPE, SAID, TEXT } from "../foreign_schema.ts";
import type { Token } from "./tokens.ts";

/** Type as written: `character varying`, `["255"]`. */
export interface WrittenType {
  /** Words in lower case, except quoted names, without the part in parentheses. */
  readonly words: string;
  readonly args: readonly string[];
  readonly isArray: boolean;
}

export interface ReadType {
  readonly type: DraftType;
  readonly question: string | null;
  readonly maxLength: number | null;
  /** True for `serial` and similar types, which increment automatically. */
  readonly isCounted: boolean;
  /** False: no dialect has the type. */
  readonly isKnown: boolean;
}

export function writtenType(tokens: readonly Token[]): WrittenType {
  const words: string[] = [];
  const args: string[] = [];
  let depth = 0;
  let isArray = false;
  for (const { kind, value, raw } of tokens) {
    if (kind === "sign" && value === "(") depth++;
    else if (kind === "sign" && value === ")") depth--;
    else if (kind === "sign" && value === "[") isArray = true;
    else if (depth > 0 && value !== ",") args.push(kind === "text" ? value : raw);
    else if (depth === 0 && kind === "word" && value === "array") isArray = true;
    else if (depth === 0 && (kind === "word" || kind === "name")) words.push(value);
  }
  return { words: words.join(" "), args, isArray };
}

type Enums = ReadonlyMap<string, readonly string[]>;

/** Converts a type. `enums`: by their names in lower case, without a schema. */
export function readType(written: WrittenType, enums: Enums): ReadType {
  const { words, args, isArray } = written;
  if (isArray) return readArray(written, enums);
  const values = enums.get(words.toLowerCase().split(" ").at(-1) ?? "") ??
    (words.startsWith("enum") ? args : undefined);
  if (values) return known({ kind: "enum", values });
  const name = words.toLowerCase();
  const decimal = /^(numeric|decimal|dec|number|money)\b/.test(name) ? decimalOf(args) : null;
  if (decimal) return known(decimal);
  const isFlag = /^(tinyint|bit)\b/.test(name) && args[0] === "1" ||
    (name === "bit" && args.length === 0);
  if (isFlag) return known({ kind: "bool" });
  const found = TYPES.find(([pattern]) => pattern.test(name));
  if (!found) {
    const question = `type ${words || "(none)"} became text`;
    return { ...known(TEXT, question), isKnown: words === "" };
  }
  const [, type, question = null] = found;
  const [length = ""] = args;
  const isLong = type.kind === "text" && /^\d+$/.test(length) && Number(length) >= 1 &&
    LENGTHS.test(name);
  return {
    ...known(
      type.kind === "int" && /\bunsigned\b/.test(name) ? { ...type, min: 0 } : type,
      question,
    ),
    maxLength: isLong ? Number(length) : null,
    isCounted: /serial/.test(name),
  };
}

function readArray({ words, args }: WrittenType, enums: Enums): ReadType {
  const { type, question, isKnown } = readType({ words, args, isArray: false }, enums);
  const isScalar = type.kind !== "json" && type.kind !== "list" && question === null;
  if (!isScalar) return { ...known(JSON_TYPE, `a list of ${words} became JSON`), isKnown };
  return { ...known({ kind: "list", of: type, maxItems: LIST_MAX }), isKnown };
}

/** Maximum length of lists: foreign schemas have none, and this one is enough for most. */
export const LIST_MAX = 1000;

function known(type: DraftType, question: string | null = null): ReadType {
  return { type, question, maxLength: null, isCounted: false, isKnown: true };
}

const LENGTHS =
  /^(n?(var)?char(acter)?|varchar2|nvarchar2|national|native|citext|varying|string)\b/;

const INT = { kind: "int" } as const;

/** Types by pattern; the first that matches a type in lower case is used. */
const TYPES: readonly (readonly [RegExp, DraftType, string?])[] = [
  [/^jsonb?\b/, JSON_TYPE],
  [/^(bool|boolean)\b/, { kind: "bool" }],
  [/^(bigint|int8|bigserial|serial8|unsigned big int)\b/, INT, SAID.bigInt],
  [
    /^(int|integer|smallint|mediumint|tinyint|int2|int4|serial|smallserial|serial2|serial4|year|oid)\b/,
    INT,
  ],
  [/^(numeric|decimal|dec|money|smallmoney|number)\b/, TEXT, SAID.wideDecimal],
  [/^(real|double|float|float4|float8)\b/, { kind: "real" }],
  [/^(timestamp|timestamptz|datetime|datetime2|smalldatetime|datetimeoffset)\b/, {
    kind: "timestamp",
  }],
  [/^date\b/, { kind: "date" }],
  [/^(time|timetz)\b/, TEXT, "a time of day became text"],
  [/^interval\b/, TEXT, "interval became text"],
  [/^(int4|int8|num|ts|tstz|date)(multi)?range\b/, TEXT, "a range became text"],
  [
    /^(text|char|varchar|character|citext|uuid|name|nvarchar|nchar|nvarchar2|varchar2|national|native|tinytext|mediumtext|longtext|ntext|long|clob|bpchar|uniqueidentifier|string|enum)\b/,
    TEXT,
  ],
  [/^(inet|cidr|macaddr8?)\b/, TEXT, "an address of a network became text"],
  [/^set\b/, TEXT, "a set became text"],
  [
    /^(bytea|blob|tinyblob|mediumblob|longblob|binary|varbinary|image|bit|varbit)\b/,
    TEXT,
    SAID.bytes,
  ],
  [
    /^(tsvector|tsquery|xml|ltree|hstore|jsonpath|regclass)\b/,
    TEXT,
    "a type of PostgreSQL's own became text",
  ],
  [
    /^(point|line|lseg|box|path|polygon|circle|geometry|geography|multipoint|linestring|multipolygon|vector|halfvec|cube)\b/,
    JSON_TYPE,
    "a shape or vector became JSON",
  ],
];
