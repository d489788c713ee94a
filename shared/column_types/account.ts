/**
 * `q.account()`: id of an account that is a member of the row's organization (definitions 3). The code that writes a row checks
 * the membership.
 */
import type { ColumnTypeRecord, ValueType } from "./column_type.ts";
import { SCALAR_RULES } from "./column_type.ts";
import * as texts from "./texts.ts";

export interface AccountType {
  readonly kind: "account";
  /** Treatment of rows that name a removed member. Absent: they keep the id. */
  readonly onMemberRemoved?: "restrict" | "setNull";
}

const LENGTH_MAX = 255;

const ACCOUNT_IDS: ValueType = {
  ...texts.textValues(LENGTH_MAX),
  schema: { type: "string", minLength: 1, maxLength: LENGTH_MAX },
  words: "id of an account",
  body: () =>
    texts.textBody(LENGTH_MAX)
      .refine((text) => text !== "", { error: "Must not be empty", abort: true })
      .meta({ minLength: 1 }),
  hasCase: false,
  mismatch: (value) => typeof value === "string" && value !== "" ? null : "an account's id",
  example: () => "Vq3sR8kT1mXn5cYw",
  sample: () => "Vq3sR8kT1mXn5cYw",
  neighbours: () => [],
  twins: () => null,
};

export const account: ColumnTypeRecord<AccountType, string> = {
  plain: null,
  aliases: [],
  manager: "client",
  storage: () => texts.TEXT_STORAGE,
  fitsSql: () => null,
  rules: { ...SCALAR_RULES, isSensitive: false, isOrdered: false, holdsIds: true, aggregates: [] },
  values: () => ACCOUNT_IDS,
};
