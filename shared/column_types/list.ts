/** `q.list(of, { maxItems })`: a list of scalars, stored as JSON, and read and written as a whole. */
import { z } from "zod";
import type { JsonValue } from "../contract/mod.ts";
import { exactJsonText } from "../lib/json.ts";
import { bool } from "./bool.ts";
import type { ColumnTypeRecord, IdRule, Storage, TypeOf, ValueType } from "./column_type.ts";
import { PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";
import { date } from "./date.ts";
import { decimal } from "./decimal.ts";
import { email } from "./email.ts";
import { enumeration } from "./enum.ts";
import { int } from "./int.ts";
import { JSON_STORAGE } from "./json.ts";
import { real } from "./real.ts";
import { text } from "./text.ts";
import { TEXT_QUERY } from "./texts.ts";
import { timestamp } from "./timestamp.ts";
import { url } from "./url.ts";

const ITEMS = {
  text,
  int,
  real,
  decimal,
  bool,
  date,
  timestamp,
  url,
  email,
  enum: enumeration,
};

export type ItemType = { [Kind in keyof typeof ITEMS]: TypeOf<(typeof ITEMS)[Kind]> }[
  keyof typeof ITEMS
];

const RECORDS: Readonly<Record<ItemType["kind"], ColumnTypeRecord<ItemType>>> = ITEMS;

export const ITEMS_MAX_DEFAULT = 100;

interface ListType {
  readonly kind: "list";
  readonly of: ItemType;
  readonly maxItems: number;
}

/** Rule of ids for items, which are no ids. */
const NO_IDS: IdRule = { idStrategy: false, idPrefix: "" };

/** True for a type that list items may have. */
export function isItemType(type: { readonly kind: string }): type is ItemType {
  return Object.hasOwn(RECORDS, type.kind);
}

function listStorage(record: ColumnTypeRecord<ItemType>, type: ItemType): Storage {
  const item = record.storage(NO_IDS, type);
  const store = (value: unknown) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((one: unknown) => item.store(one));
    const known = items.filter((one) => one !== undefined);
    return known.length === items.length
      ? exactJsonText(known.map((one) => item.restore(one)))
      : undefined;
  };
  return {
    ...JSON_STORAGE,
    store,
    operand: () => undefined,
    handler: JSON_STORAGE.handler && {
      ...JSON_STORAGE.handler,
      wanted: "Must be a list of the column's values",
      encode: (value) => store(value) ?? null,
    },
  };
}

function listValues({ of, maxItems }: ListType): ValueType {
  const item = RECORDS[of.kind].values(of, NO_IDS);
  const isList = (value: unknown): value is readonly Exclude<JsonValue, null>[] =>
    Array.isArray(value) && value.length <= maxItems && !value.includes(null);
  const expected = `a list of at most ${maxItems} values: ${item.words}`;
  return {
    ...PLAIN_VALUES,
    schema: { type: "array", items: item.schema, maxItems },
    words: expected,
    body: () =>
      z.array(item.body(), { error: typed("Must be a list") })
        .max(maxItems, { error: `Must hold at most ${maxItems} values` }),
    querySchema: TEXT_QUERY,
    hasText: false,
    hasCase: false,
    read: () => undefined,
    expected,
    mismatch: (value) =>
      isList(value) && value.every((one) => item.mismatch(one) === null) ? null : expected,
    example: (text) => [item.example(text)],
    sample: (of) => [item.sample(of)],
    twins: (at) => {
      const pair = item.twins(at);
      return pair && [[pair[0]], [pair[1], pair[0]].slice(0, maxItems)];
    },
  };
}

export const list: ColumnTypeRecord<ListType, readonly JsonValue[]> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: (_ids, { of }) => listStorage(RECORDS[of.kind], of),
  fitsSql: (cell) => `json_valid(${cell}) AND json_type(${cell}) = 'array'`,
  rules: { ...SCALAR_RULES, isStructured: true, isList: true, isOrdered: false, aggregates: [] },
  values: (type) => listValues(type),
};
