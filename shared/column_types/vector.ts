/**
 * `q.vector({ dimensions, metric?, from? })`: numbers that represent a text, stored as libSQL's `F32_BLOB` and compared by
 * `near`. Statements use hexadecimal digits, because the driver cannot bind bytes and `vector_extract` rounds.
 */
import { z } from "zod";
import { hex, hexBytes } from "../lib/hexadecimal.ts";
import type { ColumnTypeRecord, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";
import { TEXT_QUERY } from "./texts.ts";

/** Distances of libSQL, by their names in definitions. */
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
  /** Text columns from which the operator's service makes the vector; null: clients write it. */
  readonly from: readonly string[] | null;
}

const BYTES = 4;

/** Largest magnitude of a number. Within it every distance is finite, because no square overflows a 32-bit float. */
const NUMBER_MAX = 1e6;
const LENGTH_MIN = 1e-6;

/** Encodes numbers as a vector's 32-bit floats in hexadecimal digits; undefined: they are no value of the type. */
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
  // A vector without length has no angle.
  if (metric === "cosine" && squares < LENGTH_MIN ** 2) return undefined;
  return hex(new Uint8Array(bytes.buffer));
}

/** Returns the shortest numbers that give these floats. */
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

/** Describes the accepted form. `near` accepts what a body accepts. */
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

/** Returns the type if it is a vector; null otherwise. */
export function vectorOf(type: { readonly kind: string } | null): VectorType | null {
  return type !== null && isVectorType(type) ? type : null;
}

function isVectorType(type: { readonly kind: string }): type is VectorType {
  return type.kind === "vector";
}
