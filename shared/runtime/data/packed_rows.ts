/**
 * Many rows as one: every column of theirs is one text, because a driver takes longer to hand over a row than SQLite to make
 * one. Nothing is lost on the way: JSON holds texts exactly, and `quote` writes numbers in full.
 */
import type { SqlValue } from "../ports.ts";
import type { RecordPlan } from "./record_plan.ts";

type Cell = RecordPlan["cells"][number];

/** U+001E, which JSON text never holds as it is. */
const SEPARATOR = "\x1e";

/**
 * The select list that packs the rows of its `FROM`, in their order. SQLite hands the rows of a subquery with a `LIMIT` to an
 * aggregate in the subquery's order.
 */
export function packedSelect(cells: readonly Cell[]): string {
  return cells.map(({ form, sql }) =>
    form === "object"
      ? `group_concat(${sql}, char(30))`
      : `json_group_array(${form === "text" ? sql : `quote(${sql})`})`
  ).join(", ");
}

/** The rows that were packed; the columns come in the order of the select list. */
export function unpackedRows(
  cells: readonly Cell[],
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
  if (form === "object") return text.split(SEPARATOR);
  const values: unknown = JSON.parse(text);
  if (!Array.isArray(values)) throw new TypeError("A packed column is a JSON array");
  return form === "text" ? values.map(textCell) : values.map(quotedCell);
}

function textCell(value: unknown): SqlValue {
  if (value === null || typeof value === "string") return value;
  throw new TypeError(`A column of texts holds a ${typeof value}`);
}

/** Reads what SQLite's `quote` writes. */
function quotedCell(value: unknown): SqlValue {
  const text = String(value);
  if (text === "NULL") return null;
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  const number = Number(text);
  if (Number.isNaN(number)) throw new TypeError("A column of numbers holds bytes");
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
