/** JSON as plain data. */

/** A value without parts. */
export type Scalar = string | number | boolean | null;

export type JsonValue = Scalar | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonSchema = { readonly [keyword: string]: JsonValue };
