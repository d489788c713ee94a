/**
 * Packs many rows into one: each of their columns becomes one text, because a driver takes longer per row than SQLite. Nothing
 * is lost: JSON preserves texts, and `quote` writes numbers completely.
 */
import type { SqlValue } from "../ports.ts";
import type { RecordPlan } from "./record_plan.ts";
import { quotedValue } from "./sql.ts";

/** A cell to pack. `nested`: rows that `nestedSelect` packed into a cell. */
type Cell = RecordPlan["cells"][number] | { readonly form: "nested"; readonly sql: string };
type RowCells = RecordPlan["cells"];

/** Separators U+001E and U+001D, which JSON text never contains unescaped. */
const SEPARATOR = "\x1e";
const OUTER_SEPARATOR = "\x1d";

/**
 * Returns the select list that packs the rows of its `FROM` in order. SQLite passes rows of a subquery with `LIMIT` to an
 * aggregate in that order.
 */
export function packedSelect(cells: readonly Cell[]): string {
  return cells.map(({ form, sql }) => {
    if (form === "nested") return `group_concat(${sql}, char(29))`;
    if (form === "object") return `group_concat(${sql}, char(30))`;
    return `json_group_array(${memberOf(form, sql)})`;
  }).join(", ");
}

/** Returns the same as one column, for a subquery in a cell. */
export function nestedSelect(cells: RowCells): string {
  const [only] = cells;
  if (cells.length === 1 && only?.form === "object") return packedSelect([only]);
  return `json_group_array(json_array(${
    cells.map(({ form, sql }) => memberOf(form, sql)).join(", ")
  }))`;
}

/** Unpacks the rows of `nestedSelect`; an empty text has none. */
export function nestedRows(cells: RowCells, text: string): readonly (readonly SqlValue[])[] {
  if (text === "") return [];
  const [only] = cells;
  if (cells.length === 1 && only?.form === "object") {
    return text.split(SEPARATOR).map((row) => [row]);
  }
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows)) throw new TypeError("Nested rows are a JSON array");
  return rows.map((row: readonly unknown[]) =>
    cells.map(({ form }, at) =>
      form === "number" ? quotedValue(String(row[at])) : textCell(row[at])
    )
  );
}

function memberOf(form: RowCells[number]["form"], sql: string): string {
  // An object must stay text.
  if (form === "object") return `(${sql}) || ''`;
  return form === "text" ? sql : `quote(${sql})`;
}

/** Unpacks rows. The columns are in the order of the select list. */
export function unpackedRows(
  cells: readonly Pick<Cell, "form">[],
  packed: readonly SqlValue[],
): readonly (readonly SqlValue[])[] {
  const columns = cells.map(({ form }, at) => columnOf(form, packed[at] ?? null));
  const [first = []] = columns;
  if (columns.some(({ length }) => length !== first.length)) {
    throw new Error("Packed columns differ in their number of rows");
  }
  return first.map((_, row) => columns.map((column) => column[row] ?? null));
}

function columnOf(form: Cell["form"], text: SqlValue): readonly SqlValue[] {
  if (text === null) return [];
  if (typeof text !== "string") throw new TypeError("Packed rows did not come back as text");
  if (form === "nested") return text.split(OUTER_SEPARATOR);
  if (form === "object") return text.split(SEPARATOR);
  const values: unknown = JSON.parse(text);
  if (!Array.isArray(values)) throw new TypeError("A packed column is a JSON array");
  return form === "text" ? values.map(textCell) : values.map((one) => quotedValue(String(one)));
}

function textCell(value: unknown): SqlValue {
  if (value === null || typeof value === "string") return value;
  throw new TypeError(`A column of texts holds a ${typeof value}`);
}
