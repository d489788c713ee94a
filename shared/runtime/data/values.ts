/** Stored values as JSON text. */
import type { Storage } from "../../column_types/mod.ts";
import type { SqlValue } from "../ports.ts";

/** A stored value as JSON text, integers in full. */
export function jsonTextOf(storage: Storage, value: SqlValue): string {
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "string":
    case "number":
      return storage.jsonText(value);
    default:
      if (value === null) return "null";
      throw new TypeError("No column holds bytes");
  }
}
