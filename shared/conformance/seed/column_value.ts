/** A value that a column takes, unlike any other row's where its type allows that (definitions 3). */
import type { ColumnModel, JsonValue } from "../../model/column.ts";
import type { ResourceModel } from "../../model/resource.ts";
import type { TableModel } from "../../model/table.ts";
import { valueKindOf } from "../../surface/column_kinds.ts";
import { maskSample } from "./mask_samples.ts";

/** Of the table; null where it has no routes. */
type Masked = Pick<ResourceModel, "masks"> | null;

interface ValueSubject {
  readonly table: TableModel;
  readonly resource: Masked;
  /** Unlike any other row's. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Every searchable text holds it. */
export const SEARCH_TERM = "conformance";

export function columnValue(column: ColumnModel, subject: ValueSubject): JsonValue {
  const { table, resource, number, now } = subject;
  const kind = valueKindOf(column, table);
  const sample = sampleOf(column, { resource, number });
  switch (kind.kind) {
    case "string":
      return fitting(
        sample ?? `${SEARCH_TERM} ${column.name} ${number}`,
        { maxLength: kind.maxLength, number },
      );
    case "url":
      return fitting(`https://conformance.example/${number}`, {
        maxLength: kind.maxLength,
        number,
      });
    case "enum":
      return literalDefault(column) ?? kind.values[0] ?? "";
    case "boolean":
      return literalDefault(column) ?? false;
    case "integer":
      return number;
    case "number":
      return number + 0.5;
    case "timestamp":
      return timeText(now);
    case "json":
      return { conformance: number };
    case "id":
      throw new Error(`Ids of "${table.name}" are no column's value`);
  }
}

export function timeText(now: number): string {
  return new Date(now).toISOString();
}

function sampleOf(
  { name }: ColumnModel,
  { resource, number }: { readonly resource: Masked; readonly number: number },
): string | null {
  const mask = resource !== null && Object.hasOwn(resource.masks, name)
    ? resource.masks[name]
    : undefined;
  return mask ? maskSample(mask.type, number).plain : null;
}

function literalDefault({ default: byDefault }: ColumnModel): JsonValue | null {
  return byDefault?.kind === "literal" ? byDefault.value : null;
}

/** Shortens a text to its column, and keeps the number that makes it unique. */
function fitting(
  text: string,
  { maxLength, number }: { readonly maxLength: number | null; readonly number: number },
): string {
  if (maxLength === null || text.length <= maxLength) return text;
  const short = number.toString(36);
  return `${text.slice(0, Math.max(0, maxLength - short.length))}${short}`.slice(-maxLength);
}
