import { nanoid } from "nanoid";

/** An invoice number that nobody guesses. */
export function invoiceNumber(): string {
  return `INV-${nanoid(8)}`;
}
