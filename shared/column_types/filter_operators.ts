/** Operators of filters in URLs, `<field>.<operator>` (contract 4.3), one record each. Their SQL is in the data layer. */
import type { ValueType } from "./column_type.ts";
import { BOOLEANS } from "./bool.ts";
import { textValues } from "./texts.ts";

interface FilterOperatorRecord {
  says(column: string): string;
  /** True when it searches in the text of a value. Numbers and booleans have none (definitions 7). */
  readonly needsText: boolean;
  /** True when it compares words without case. Dates and JSON are not words (contract 4.3, `ilike`). */
  readonly needsCase: boolean;
  /** True for values separated by commas, in quotes where they contain one. The parameter may be repeated. */
  readonly isList: boolean;
  /** Returns the values of the operand for a column with these values. */
  operand(values: ValueType): ValueType;
}

const COMPARISON = {
  needsText: false,
  needsCase: false,
  isList: false,
  operand: (values: ValueType) => values,
};

const ANY_TEXT = textValues(null);

const FOLDED_MAX = 7000;

/**
 * Texts to find without regard to case. Their length is limited, because the pattern lists every form of each letter and SQLite
 * limits a pattern.
 */
export const FOLDED_TEXTS: ValueType = {
  ...ANY_TEXT,
  querySchema: { ...ANY_TEXT.querySchema, maxLength: FOLDED_MAX },
  read: (text) => text.length <= FOLDED_MAX ? text : undefined,
  expected: `text of at most ${FOLDED_MAX} characters`,
};

const RECORDS = {
  /** The operator of a bare column name. */
  eq: { ...COMPARISON, says: (column) => `Records whose \`${column}\` equals the value.` },
  ne: {
    ...COMPARISON,
    says: (column) => `Records whose \`${column}\` differs from the value, or is not set.`,
  },
  gt: { ...COMPARISON, says: (column) => `Records whose \`${column}\` is greater than the value.` },
  gte: {
    ...COMPARISON,
    says: (column) => `Records whose \`${column}\` is greater than the value or equal to it.`,
  },
  lt: { ...COMPARISON, says: (column) => `Records whose \`${column}\` is less than the value.` },
  lte: {
    ...COMPARISON,
    says: (column) => `Records whose \`${column}\` is less than the value or equal to it.`,
  },
  like: {
    says: (column) => `Records whose \`${column}\` contains the text.`,
    needsText: true,
    needsCase: false,
    isList: false,
    operand: () => ANY_TEXT,
  },
  ilike: {
    says: (column) => `Records whose \`${column}\` contains the text in upper or lower case.`,
    needsText: true,
    needsCase: true,
    isList: false,
    operand: () => FOLDED_TEXTS,
  },
  in: {
    ...COMPARISON,
    says: (column) => `Records whose \`${column}\` is one of the comma-separated values.`,
    isList: true,
  },
  nin: {
    ...COMPARISON,
    says: (column) =>
      `Records whose \`${column}\` is none of the comma-separated values, or is not set.`,
    isList: true,
  },
  null: {
    ...COMPARISON,
    says: (column) => `Records whose \`${column}\` is not set; with \`false\`, those where it is.`,
    operand: () => BOOLEANS,
  },
} satisfies Readonly<Record<string, FilterOperatorRecord>>;

export type FilterOperator = keyof typeof RECORDS;

export const FILTER_OPERATORS = Object.keys(RECORDS) as readonly FilterOperator[];

export function filterOperator(name: FilterOperator): FilterOperatorRecord {
  return RECORDS[name];
}
