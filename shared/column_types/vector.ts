/**
 * `q.vector({ dimensions, metric?, from? })`: numbers that place a text among others, stored as libSQL's `F32_BLOB`; compared by
 * `near` alone. Statements bind and read hexadecimal digits: the driver binds no bytes, and `vector_extract` rounds.
 */
import { z } from "zod";
import { hex, hexBytes } from "../lib/hexadecimal.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";
import { TEXT_QUERY } from "./texts.ts";

/** Distances that libSQL knows, by the word of definitions. */
export const VECTOR_METRICS = {
  cosine: "vector_distance_cos",
  euclidean: "vector_distance_l2",
} as const;

export type VectorMetric = keyof typeof VECTOR_METRICS;

export const DIMENSIONS_MAX = 4096;

export interface VectorType {
  readonly kind: "vector";
  readonly dimensions: number;
  readonly metric: VectorMetric;
  /** Columns of text that it is made from by the operator's service; null: clients write it. */
  readonly from: readonly string[] | null;
}

const BYTES = 4;

/** Within these, every distance is a number: no square of a 32-bit float leaves its range. */
const NUMBER_MAX = 1e6;
const LENGTH_MIN = 1e-6;

/** Numbers as the 32-bit floats of a vector, in hexadecimal digits; undefined: they are none of this type. */
export function vectorDigits(
  { dimensions, metric }: Pick<VectorType, "dimensions" | "metric">,
  value: unknown,
): string | undefined {
  if (!Array.isArray(value) || value.length !== dimensions) return undefined;
  const bytes = new DataView(new ArrayBuffer(dimensions * BYTES));
  let squares = 0;
  for (const [at, one] of value.entries()) {
    if (typeof one !== "number" || !(Math.abs(one) <= NUMBER_MAX)) return undefined;
    squares += one * one;
    bytes.setFloat32(at * BYTES, one, true);
  }
  // What is nowhere has no angle to anything.
  if (metric === "cosine" && squares < LENGTH_MIN ** 2) return undefined;
  return hex(new Uint8Array(bytes.buffer));
}

/** The shortest numbers that are these floats. */
function numbersOf(digits: string): number[] {
  const bytes = new DataView(hexBytes(digits).buffer);
  return Array.from({ length: bytes.byteLength / BYTES }, (_, at) => {
    const float = bytes.getFloat32(at * BYTES, true);
    for (const precision of [6, 7, 8]) {
      const short = Number(float.toPrecision(precision));
      if (Math.fround(short) === float) return short;
    }
    return float;
  });
}

function vectorStorage(type: VectorType): Storage {
  return {
    ...PLAIN_STORAGE,
    sql: "text",
    declared: `F32_BLOB(${type.dimensions})`,
    default: null,
    read: (cell) => `nullif(hex(${cell}), '')`,
    write: (place) => `unhex(${place})`,
    jsonSql: () => null,
    store: (value) => vectorDigits(type, value),
    operand: () => undefined,
    restore: (value) => numbersOf(String(value)),
    jsonText: (value) => JSON.stringify(numbersOf(String(value))),
  };
}

/** `near` takes what a body takes. */
export function vectorWords({ dimensions, metric }: VectorType): string {
  const range = `from -${NUMBER_MAX} to ${NUMBER_MAX}`;
  return `a list of ${dimensions} numbers ${range}${metric === "cosine" ? ", not all 0" : ""}`;
}

function vectorValues(type: VectorType): ValueType {
  const { dimensions } = type;
  const expected = vectorWords(type);
  const isVector = (value: unknown): boolean => vectorDigits(type, value) !== undefined;
  const sample = (number: number): number[] =>
    Array.from({ length: dimensions }, (_, at) => at === 0 ? 1 : (number + at) % 97);
  return {
    ...PLAIN_VALUES,
    schema: {
      type: "array",
      items: { type: "number" },
      minItems: dimensions,
      maxItems: dimensions,
    },
    words: expected,
    body: () =>
      z.array(z.number({ error: typed("Must be a number") }), { error: typed("Must be a list") })
        .length(dimensions, { error: `Must be ${expected}` })
        .refine(isVector, { error: `Must be ${expected}` }),
    querySchema: TEXT_QUERY,
    hasText: false,
    hasCase: false,
    read: () => undefined,
    expected,
    mismatch: (value) => isVector(value) ? null : expected,
    example: () => sample(0),
    sample: ({ number }) => sample(number),
    twins: () => null,
  };
}

export const vector: ColumnTypeRecord<VectorType, readonly number[]> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: (_ids, type) => vectorStorage(type),
  fitsSql: () => null,
  rules: {
    ...SCALAR_RULES,
    isStructured: true,
    isList: true,
    isOrdered: false,
    isAsked: true,
    aggregates: [],
  },
  values: (type) => vectorValues(type),
};

/** The type as a vector's; null: another one. */
export function vectorOf(type: { readonly kind: string } | null): VectorType | null {
  return type !== null && isVectorType(type) ? type : null;
}

function isVectorType(type: { readonly kind: string }): type is VectorType {
  return type.kind === "vector";
}
