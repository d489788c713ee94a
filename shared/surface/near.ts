/** Reads `near`, which orders a list by distance (contract 4.3). */
import { vectorDigits, vectorWords } from "../column_types/mod.ts";
import { TEXT_PATTERN } from "../contract/mod.ts";
import * as limits from "../contract/limits.ts";
import { parsedJson } from "../lib/json.ts";
import type { TableModel, ViewModel } from "../model/mod.ts";
import type { Near, Parameter, ParameterUse } from "./parameter.ts";
import { vectorColumnOf } from "./tables.ts";

/** Returns the parameters of `near`. Views do not have them, because they have their own columns and order. */
export function nearParameters(table: TableModel): readonly Parameter[] {
  const vector = vectorColumnOf(table);
  if (vector === null) return [];
  const { column, type } = vector;
  const order =
    "the records nearest to it come first, each with its `_distance`, and those without a " +
    `\`${column.name}\` not at all. Not together with \`sort\`, \`order\`, \`offset\` or a cursor.`;
  const near: Parameter = {
    name: "near",
    use: { kind: "near", form: "vector", vector },
    description: `A value of \`${column.name}\` as JSON, ${vectorWords(type)}: ${order}`,
    schema: {
      type: "array",
      items: { type: "number" },
      minItems: type.dimensions,
      maxItems: type.dimensions,
    },
  };
  if (type.from === null) return [near];
  return [near, {
    name: "near.text",
    use: { kind: "near", form: "text", vector },
    description:
      `Words whose vector the embeddings service makes: ${order} Not together with \`near\`.`,
    schema: {
      type: "string",
      minLength: 1,
      maxLength: limits.NEAR_TEXT_MAX_LENGTH,
      pattern: TEXT_PATTERN,
    },
  }];
}

/** True for a list that returns a view and accepts `near`. Only callers who may read the resource may use it so. */
export function isNearBeyondView(
  { kind, view }: { readonly kind: string; readonly view: ViewModel | null },
  table: TableModel,
): boolean {
  return kind === "list" && view !== null && vectorColumnOf(table) !== null;
}

/** Returns the limit of a parameter's length. A vector is as long as its numbers. */
export function maxBytesOf({ use }: Parameter): number {
  return use.kind === "near" && use.form === "vector"
    ? use.vector.type.dimensions * limits.VECTOR_NUMBER_MAX_BYTES
    : limits.QUERY_VALUE_MAX_BYTES;
}

/** Reads `near`; a text is the form that the value should have. */
export function readNear(
  parameter: string,
  text: string,
  { form, vector }: Extract<ParameterUse, { kind: "near" }>,
): Near | string {
  if (form === "text") {
    const words = text.trim();
    const isFitting = words !== "" && !text.includes("\0") && text.isWellFormed() &&
      [...words].length <= limits.NEAR_TEXT_MAX_LENGTH;
    return isFitting
      ? { parameter, vector, to: { kind: "words", text: words } }
      : `words, at most ${limits.NEAR_TEXT_MAX_LENGTH} characters`;
  }
  const digits = vectorDigits(vector.type, parsedJson(text));
  return digits === undefined
    ? `${vectorWords(vector.type)}, as JSON`
    : { parameter, vector, to: { kind: "stored", text: digits } };
}
