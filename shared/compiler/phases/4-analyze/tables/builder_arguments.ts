/** Reads the arguments of column builders. */
import type { ColumnType } from "../../../../column_types/mod.ts";
import type { ColumnManager } from "../../../../model/mod.ts";
import type { Value } from "../../values.ts";
import { type At, described, type Reader, wrongType } from "../read/reader.ts";
import type { DerivedDraft } from "./draft.ts";
import { readText, readTokens } from "../read/scalars.ts";
import type { Members, Shape } from "../../../../definition_language/shape.ts";
import { type Fields, readFields } from "../read/fields.ts";

export interface Built {
  readonly type: ColumnType;
  readonly manager: ColumnManager;
  /** The column's name in SQL, if the author wrote one. */
  readonly sqlName: string | null;
  /** Definition of a computed column. */
  readonly derived?: DerivedDraft;
}

export interface BuilderCall {
  readonly args: readonly Value[];
  readonly callee: string;
  readonly value: Value;
}

export type Builder = (call: BuilderCall, at: At) => Built | undefined;

export function reportArguments(
  { callee, value }: BuilderCall,
  expected: string,
  at: At,
  form: string | null = null,
): void {
  at.report.add("ARGUMENTS", value.place, { callee, expected, form });
}

/** Returns a suggestion for values that are separate arguments instead of one list. */
function enumForm({ args }: BuilderCall): string | null {
  const values = args.filter(({ kind }) => kind === "string").map(described);
  return values.length === args.length ? `Write q.enum([${values.join(", ")}])` : null;
}

export function hasAtMost(call: BuilderCall, count: number, at: At): boolean {
  if (call.args.length <= count) return true;
  const most = count === 0 ? "no argument" : `at most ${count}`;
  const form = call.callee === "q.enum" ? enumForm(call) : null;
  reportArguments(call, `${call.callee}() with ${most}`, at, form);
  return false;
}

/** Reads at least one word, each once. */
export function readEnum(value: Value, at: At): readonly string[] | undefined {
  const tokens = readTokens(value, at);
  if (tokens?.length === 0 && value.kind === "array" && value.items.length === 0) {
    return wrongType(value, "a list with at least one value", at);
  }
  if (value.kind === "array") {
    for (const item of value.items) if (item.kind === "string") readText(item, at);
  }
  return tokens?.length === 0 ? undefined : tokens?.map((token) => token.text);
}

export function isText(value: unknown): value is string {
  return typeof value === "string";
}

export function isNumber(value: unknown): value is number {
  return typeof value === "number";
}

/** Returns the suggested options for a bare literal in their place. */
function optionForm(value: Value, callee: string): string | null {
  const isText = callee === "q.text" || callee === "q.url";
  if (value.kind === "number") {
    return isText ? `Write ${callee}({ maxLength: ${value.value} })` : null;
  }
  return value.kind === "string" ? `Write ${callee}(): the key beside it is the name` : null;
}

export function withOptions<Own extends Members>(
  shape: Shape<Own>,
  typeOf: (fields: Fields<Own> | null) => ColumnType | undefined,
): Builder {
  return (call, at) => {
    if (!hasAtMost(call, 1, at)) return undefined;
    const [value] = call.args;
    if (value && value.kind !== "object") {
      return wrongType(value, "an object of options", at, optionForm(value, call.callee));
    }
    const fields = value ? readFields(value, shape, at) : null;
    const type = fields === undefined ? undefined : typeOf(fields);
    return type && { type, manager: "client", sqlName: null };
  };
}

export function withArgument<T>(
  reader: Reader<T>,
  typeOf: (argument: T) => ColumnType,
  manager: ColumnManager = "client",
): Builder {
  return (call, at) => {
    const [value] = call.args;
    if (!value || !hasAtMost(call, 1, at)) {
      if (!value) reportArguments(call, `${call.callee}(…) with one argument`, at);
      return undefined;
    }
    const argument = reader(value, at);
    return argument === undefined ? undefined : { type: typeOf(argument), manager, sqlName: null };
  };
}
