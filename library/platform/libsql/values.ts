/** Conversion of values to and from libSQL (ports `SqlValue`). */
import { type SqlValue, UnstorableTextError } from "../../../shared/runtime/ports.ts";

const INTEGER_MIN = -(2n ** 63n);
const INTEGER_MAX = 2n ** 63n - 1n;

/** Values that both drivers bind. They send a number as a float, so integers are passed as bigints. */
export type Bound = string | number | bigint | Uint8Array | null;

/** Checks and converts arguments. The native binding aborts the process on a boolean, and cuts a text at NUL. */
export function boundValues(args: readonly SqlValue[]): Bound[] {
  return args.map((value) => {
    if (typeof value === "string") {
      if (value.includes("\0")) throw new UnstorableTextError();
      return value;
    }
    const problem = problemOf(value);
    if (problem !== null) throw new TypeError(`A bound value ${problem}`);
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(Number(value)) : value;
  });
}

function problemOf(value: unknown): string | null {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? null : "is not a finite number";
    case "bigint":
      return value >= INTEGER_MIN && value <= INTEGER_MAX ? null : "exceeds 64 bits";
    case "object":
      return value === null || value instanceof Uint8Array ? null : "is an object";
    default:
      return `is a ${typeof value}`;
  }
}

/** Converts rows for the port. Integers become numbers if they are exact. */
export function portRows(rows: readonly unknown[]): readonly (readonly SqlValue[])[] {
  return rows.map((row) => {
    if (!Array.isArray(row)) throw new TypeError("The driver returned a row that is no array");
    return row.map(portCell);
  });
}

export function portCell(cell: unknown): SqlValue {
  if (typeof cell === "bigint") {
    const number = Number(cell);
    return Number.isSafeInteger(number) ? number : cell;
  }
  if (cell === null || typeof cell === "string" || typeof cell === "number") return cell;
  if (cell instanceof Uint8Array) return cell;
  if (cell instanceof ArrayBuffer) return new Uint8Array(cell);
  throw new TypeError(`The driver returned a ${typeof cell}`);
}
