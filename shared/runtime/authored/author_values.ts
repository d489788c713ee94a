/** Converts the column values that an author's code gives into those that a request body would contain. */
import { rulesOf } from "../../column_types/mod.ts";
import type { TableModel } from "../../model/mod.ts";

/** Converts the values. A day or an instant may be a `Date`; an undefined member is left out. */
export function bodyOfAuthor(
  given: Readonly<Record<string, unknown>>,
  { columns }: TableModel,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined).map(([name, value]) => {
      if (!(value instanceof Date) || Number.isNaN(value.getTime())) return [name, value];
      const text = value.toISOString();
      const type = columns.find((column) => column.name === name)?.type;
      if (!type || !rulesOf(type).hasDay) return [name, value];
      return [name, rulesOf(type).isInstant ? text : text.slice(0, "YYYY-MM-DD".length)];
    }),
  );
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) &&
    !(value instanceof Date);
}
