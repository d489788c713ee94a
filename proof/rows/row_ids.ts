/** Generates ids of rows that no API created, in the form of their table's strategy (contract 4.1 rule 5). */
import { uuid } from "../../shared/lib/ids.ts";
import type { TableModel } from "../../shared/model/mod.ts";

export interface SeedRandomness {
  bytes(length: number): Uint8Array;
}

export type RowId = string | number;

export type NewRowId = (table: TableModel) => RowId;

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const LETTERS_AND_DIGITS = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${LOWER}0123456789`;

/** Makes the generator. `serialFrom`: first free integer of a table that numbers its rows. */
export function rowIds(
  random: SeedRandomness,
  serialFrom: (table: TableModel) => number,
): NewRowId {
  const counted = new Map<string, number>();
  return (table) => {
    if (table.idStrategy !== "serial") {
      switch (table.idStrategy) {
        case "uuid":
          return uuid(random.bytes(16));
        case "prefixed":
          return `${table.idPrefix}_${random.bytes(16).toHex()}`;
        case "cuid":
          return picked(LOWER, random.bytes(1)) +
            picked(`${LOWER}0123456789`, random.bytes(23));
        case "nanoid":
          return picked(LETTERS_AND_DIGITS, random.bytes(21));
        case "short":
          return picked(LETTERS_AND_DIGITS, random.bytes(6));
        default:
          return `conformance-${random.bytes(12).toHex()}`;
      }
    }
    const next = counted.get(table.name) ?? serialFrom(table);
    counted.set(table.name, next + 1);
    return next;
  };
}

function picked(alphabet: string, bytes: Uint8Array): string {
  return [...bytes].map((byte) => alphabet[byte % alphabet.length] ?? "").join("");
}

/** Counts instead of drawing random bytes, so that plans are the same in every run. */
export function countingBytes(): SeedRandomness {
  let count = 0;
  return {
    bytes(length) {
      count += 1;
      const digits = count.toString(16).padStart(length, "0").slice(-length);
      return Uint8Array.from(digits, (digit) => parseInt(digit, 16));
    },
  };
}
