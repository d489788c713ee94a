/** An author's Zod schema, read without running it: the allow-listed calls and nothing else (definitions 5). */
import type { SchemaModel } from "../../../../../model/action.ts";
import type { Value } from "../../../values.ts";
import { described } from "../../read/reader.ts";
import { construct } from "./constructors.ts";
import { applyMethod } from "./methods.ts";
import { type Unreadable, unreadable, UnreadableSchema } from "./reading.ts";

export type SchemaReading =
  | { readonly kind: "read"; readonly schema: SchemaModel }
  | { readonly kind: "unreadable"; readonly reason: Unreadable };

export function readSchema(value: Value): SchemaReading {
  try {
    return { kind: "read", schema: schemaOf(value) };
  } catch (error) {
    if (error instanceof UnreadableSchema) return { kind: "unreadable", reason: error.reading };
    throw error;
  }
}

function schemaOf(value: Value): SchemaModel {
  if (value.kind !== "call" || value.module !== "zod") {
    return unreadable(described(value), value.place);
  }
  const { callee, args, place, chain } = value;
  const start = construct({ name: callee, args, place }, schemaOf);
  return chain.reduce(applyMethod, start);
}
