/** Represents the result of reading a schema: the schema, or the first construct that is not supported (definitions 5). */
import type { JsonValue, SchemaModel } from "../../../../../model/mod.ts";
import type { Place } from "../../../../diagnostics/diagnostic.ts";
import type { CallLink, Value } from "../../../values.ts";

export interface Unreadable {
  readonly construct: string;
  readonly place: Place;
}

/** Signals an unsupported construct. It is thrown inside this folder only; `readSchema` turns it into a value. */
export class UnreadableSchema extends Error {
  override readonly name = "UnreadableSchema";
  readonly reading: Unreadable;

  constructor(reading: Unreadable) {
    super(`Unreadable schema: ${reading.construct}`);
    this.reading = reading;
  }
}

export function unreadable(construct: string, place: Place): never {
  throw new UnreadableSchema({ construct, place });
}

/** Call of the library or of one of its schemas, with its arguments: `z.string`, `.min`. */
export type SchemaCall = CallLink;

/** Reads a schema that is part of another. */
export type ReadInner = (value: Value) => SchemaModel;

/** Returns the call's arguments and reports any more of them. A text or an object with the message of a failure may follow. */
export function argumentsOf(call: SchemaCall, count: number): readonly Value[] {
  const [extra, ...more] = call.args.slice(count);
  if (
    call.args.length < count || more.length > 0 ||
    (extra && !(extra.kind === "string" || extra.kind === "function" ||
      (extra.kind === "object" && extra.entries.every(({ key }) => MESSAGE_KEYS.includes(key)))))
  ) {
    unreadable(`${call.name}() with these arguments`, call.place);
  }
  return call.args.slice(0, count);
}

const MESSAGE_KEYS = ["message", "error", "invalid_type_error", "required_error"];

export function requireNumber(call: SchemaCall): number {
  const [value] = argumentsOf(call, 1);
  if (value?.kind !== "number") return unreadable(`${call.name}() without a number`, call.place);
  return value.value;
}

/** Returns the call's argument, which must be a length or a count. */
export function requireCount(call: SchemaCall): number {
  const count = requireNumber(call);
  return Number.isSafeInteger(count) && count >= 0
    ? count
    : unreadable(`${call.name}() of ${count}`, call.place);
}

/** Converts a literal to JSON. */
export function jsonOf(value: Value): JsonValue {
  switch (value.kind) {
    case "string":
    case "number":
    case "boolean":
      return value.value;
    case "null":
      return null;
    case "array":
      return value.items.map(jsonOf);
    case "object":
      return Object.fromEntries(value.entries.map((entry) => [entry.key, jsonOf(entry.value)]));
    default:
      return unreadable("a value that is no literal", value.place);
  }
}

/** Returns the stricter of two lower bounds. */
export function higher(a: number | null, b: number): number {
  return a === null ? b : Math.max(a, b);
}

export function lower(a: number | null, b: number): number {
  return a === null ? b : Math.min(a, b);
}
