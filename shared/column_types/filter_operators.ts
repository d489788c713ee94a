/** Operators of filters in URLs, `<field>.<operator>` (contract 4.3): one record each. Their SQL stands in the data layer. */
import type { ValueType } from "./column_type.ts";
import { BOOLEANS } from "./bool.ts";
import { textValues } from "./texts.ts";

interface FilterOperatorRecord {
  says(column: string): string;
  /** Looks into the text of a value; numbers and booleans have none (definitions 7). */
  readonly needsText: boolean;
  /** Values parted by commas. */
  readonly isList: boolean;
  /** The operator's operand, for a column of these values. */
  operand(values: ValueType): ValueType;
}

const COMPARISON = {
  needsText: false,
  isList: false,
  operand: (values: ValueType) => values,
};

const ANY_TEXT = textValues(null);

const RECORDS = {
  /** Of the bare name. */
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
    isList: false,
    operand: () => ANY_TEXT,
  },
  in: {
    ...COMPARISON,
    says: (column) => `Records whose \`${column}\` is one of the comma-separated values.`,
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
