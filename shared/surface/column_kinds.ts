/** Meaning of a column's type for queries, bodies and records alike (definitions 3). */
import type { ColumnModel } from "../model/column.ts";
import type { TableModel } from "../model/table.ts";

/** The JSON type of a value and the rules that go with it, whatever builder declared it. */
export type ValueKind =
  | { readonly kind: "string"; readonly maxLength: number | null }
  | { readonly kind: "enum"; readonly values: readonly string[] }
  | { readonly kind: "url"; readonly maxLength: number | null }
  | { readonly kind: "id" }
  | { readonly kind: "integer" }
  | { readonly kind: "number" }
  | { readonly kind: "boolean" }
  | { readonly kind: "timestamp" }
  | { readonly kind: "json" };

/** Ids are integers when the table counts them (definitions 3). */
export function valueKindOf(column: ColumnModel, table: TableModel): ValueKind {
  const { type } = column;
  switch (type.kind) {
    case "id":
      return table.idStrategy === "serial" ? { kind: "integer" } : { kind: "id" };
    case "text":
      return type.enum
        ? { kind: "enum", values: type.enum }
        : { kind: "string", maxLength: type.maxLength };
    case "enum":
      return { kind: "enum", values: type.values };
    case "url":
      return { kind: "url", maxLength: type.maxLength };
    case "int":
    case "revision":
      return { kind: "integer" };
    case "real":
      return { kind: "number" };
    case "bool":
      return { kind: "boolean" };
    case "timestamp":
      return { kind: "timestamp" };
    case "json":
      return { kind: "json" };
    case "scope":
      return { kind: "string", maxLength: null };
  }
}
