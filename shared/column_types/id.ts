/** `q.id()`: the key of a table, made by its strategy (contract 4.1 rule 5). */
import { z } from "zod";
import { idPattern, type IdStrategy } from "../contract/mod.ts";
import type { ColumnTypeRecord, IdRule, Storage, ValueType } from "./column_type.ts";
import { PLAIN_STORAGE, PLAIN_VALUES, SCALAR_RULES, typed } from "./column_type.ts";
import { INTEGER_STORAGE, INTEGERS } from "./int.ts";
import { TEXT_QUERY, textOnly } from "./texts.ts";

const ID_STORAGE: Storage = {
  ...PLAIN_STORAGE,
  sql: "text",
  store: (value) => typeof value === "string" || typeof value === "number" ? value : undefined,
  operand: textOnly,
};

export const id: ColumnTypeRecord<{ readonly kind: "id" }, string> = {
  plain: { kind: "id" },
  aliases: [],
  manager: "id",
  storage: ({ idStrategy }) => idStrategy === "serial" ? INTEGER_STORAGE : ID_STORAGE,
  fitsSql: () => null,
  rules: { ...SCALAR_RULES, holdsIds: true },
  values: (_type, { idStrategy, idPrefix }) =>
    idStrategy === "serial" ? INTEGERS : idValues(idStrategy, idPrefix),
};

function idValues(idStrategy: Exclude<IdStrategy, "serial">, idPrefix: string): ValueType {
  const example = () => idExample({ idStrategy, idPrefix });
  return {
    ...PLAIN_VALUES,
    // `format: uuid` is correct only if the generator makes UUIDs (contract 2.3).
    schema: idStrategy === "uuid"
      ? { type: "string", format: "uuid" }
      : { type: "string", minLength: 1 },
    words: "an id",
    body: () =>
      z.string({ error: typed("Must be text") })
        .regex(new RegExp(idPattern(idStrategy, idPrefix)), {
          error: "Must have the form of this table's ids",
        }),
    querySchema: TEXT_QUERY,
    hasText: true,
    hasCase: true,
    read: textOnly,
    expected: "text",
    mismatch: (value) => typeof value === "string" || typeof value === "number" ? null : "an id",
    example,
    sample: example,
    twins: () => null,
  };
}

/** Makes an example id of the strategy. */
export function idExample({ idStrategy, idPrefix }: IdRule): string | number {
  switch (idStrategy) {
    case "uuid":
      return "0190a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b";
    case "prefixed":
      return `${idPrefix}_0190a1b2c3d44e5f8a9b0c1d2e3f4a5b`;
    case "cuid":
      return "tz4a98xxat96iws9zmbrgj3a";
    case "nanoid":
      return "V1StGXR8_Z5jdHi6B-myT";
    case "short":
      return "aB3xY9";
    case "serial":
      return 1;
    case false:
      return "example-1";
  }
}
