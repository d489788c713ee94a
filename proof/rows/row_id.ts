/** Ids of seeded rows: of the form that the table's own ids have, and the same in every run (contract 4.1 rule 5). */
import type { TableModel } from "../../shared/model/table.ts";

export function rowId({ idStrategy, idPrefix, name }: TableModel, at: number): string | number {
  const hex = at.toString(16);
  switch (idStrategy) {
    case "uuid":
      return `0190a1b2-c3d4-4e5f-8a9b-${hex.padStart(12, "0")}`;
    case "prefixed":
      return `${idPrefix}_${hex.padStart(32, "0")}`;
    case "cuid":
      return `r${hex.padStart(23, "0")}`;
    case "nanoid":
      return hex.padStart(21, "0");
    case "short":
      return hex.padStart(6, "0");
    case "serial":
      return at + 1;
    case false:
      return `${name}-${at}`;
  }
}
