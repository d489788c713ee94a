/** A value that a column takes, unlike any other row's where its type allows that (definitions 3). */
import { valuesOf } from "../../shared/column_types/mod.ts";
import type { ColumnModel, JsonValue, TableModel } from "../../shared/model/table.ts";
import type { ResourceModel } from "../../shared/model/resource.ts";
import { maskRecord } from "../../shared/contract/masks.ts";

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
  const values = valuesOf(column, table);
  if (values.choices !== null) return literalDefault(column) ?? values.choices[0] ?? null;
  const text = sampleOf(column, { resource, number }) ?? `${SEARCH_TERM} ${column.name} ${number}`;
  return values.sample({ text, number, now });
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
  return mask ? maskRecord(mask.type).sample.plain(number) : null;
}

function literalDefault({ default: byDefault }: ColumnModel): JsonValue | null {
  return byDefault?.kind === "literal" ? byDefault.value : null;
}
