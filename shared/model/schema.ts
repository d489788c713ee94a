/**
 * Input and output schemas of actions as inert data: the constructs of Zod that the compiler reads (definitions 5). A
 * validator and JSON Schema are both made from it.
 */
import type { JsonValue } from "./table.ts";

const STRING_FORMATS = ["email", "url", "uuid", "datetime"] as const;
export type StringFormat = typeof STRING_FORMATS[number];

export interface StringSchema {
  readonly kind: "string";
  /** UTF-16 units, as Zod counts; the range may be one length. */
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly format: StringFormat | null;
  /** Of `datetime`: whether `+02:00` and times without a zone are taken. */
  readonly offset: boolean;
  readonly local: boolean;
  /** ECMAScript patterns that all hold, vetted for linear time. */
  readonly patterns: readonly { readonly source: string; readonly flags: string }[];
  /** Other values are turned into text first. */
  readonly coerce: boolean;
}

export interface NumberSchema {
  readonly kind: "number";
  readonly integer: boolean;
  readonly minimum: number | null;
  readonly exclusiveMinimum: number | null;
  readonly maximum: number | null;
  readonly exclusiveMaximum: number | null;
  readonly multipleOf: number | null;
  /** Texts are read as numbers first. */
  readonly coerce: boolean;
}

export interface ObjectSchema {
  readonly kind: "object";
  /** In declared order. */
  readonly members: readonly { readonly name: string; readonly schema: SchemaModel }[];
  /** Treatment of unknown members: dropped, refused or kept. */
  readonly unknown: "strip" | "strict" | "passthrough";
}

interface Described {
  readonly description?: string;
}

export type SchemaModel =
  & Described
  & (
    /** It could not be read: any JSON value. The author's own schema still validates at run time. */
    | { readonly kind: "open" }
    /** Given with the compile request instead (contract 4.8 rule 2). */
    | { readonly kind: "jsonSchema"; readonly schema: { readonly [key: string]: JsonValue } }
    | { readonly kind: "any" }
    | { readonly kind: "null" }
    | { readonly kind: "boolean"; readonly coerce: boolean }
    | StringSchema
    | NumberSchema
    | { readonly kind: "enum"; readonly values: readonly string[] }
    | { readonly kind: "literal"; readonly values: readonly (string | number | boolean | null)[] }
    | {
      readonly kind: "array";
      readonly of: SchemaModel;
      readonly minItems: number | null;
      readonly maxItems: number | null;
    }
    | ObjectSchema
    /** `keys` is a text schema or an enum. */
    | { readonly kind: "record"; readonly keys: SchemaModel; readonly values: SchemaModel }
    | { readonly kind: "union"; readonly of: readonly SchemaModel[] }
    | {
      readonly kind: "discriminatedUnion";
      readonly discriminator: string;
      readonly of: readonly SchemaModel[];
    }
    | { readonly kind: "optional"; readonly of: SchemaModel }
    | { readonly kind: "nullable"; readonly of: SchemaModel }
    | { readonly kind: "default"; readonly of: SchemaModel; readonly value: JsonValue }
  );
