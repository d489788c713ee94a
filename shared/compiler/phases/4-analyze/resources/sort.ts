/** Reads `defaultSort`: `"-createdAt"`, several of them with commas, `{ field, order }`, or a list (definitions 4). */
import { rulesOf } from "../../../../column_types/mod.ts";
import { SORT } from "../../../../definition_language/resource.ts";
import type { SortKey } from "../../../../model/mod.ts";
import { requireColumn } from "../tables/analysis.ts";
import { type At, read, type Reader, readFields, type Token, wrongType } from "../read/mod.ts";
import type { TableDraft } from "../tables/draft.ts";

export const NEWEST_FIRST: readonly SortKey[] = [{ column: "createdAt", descending: true }];

/** Reads a sort by columns of the table, or only by `members`, which are those of a group. */
export function readSort(
  table: TableDraft,
  members: readonly string[] | null = null,
): Reader<readonly SortKey[]> {
  return (value, at) => {
    const items = value.kind === "array" ? value.items : [value];
    const keys = items.map((item) => {
      if (item.kind === "object") {
        const fields = readFields(item, SORT, at);
        if (!fields) return undefined;
        const word = read(fields, "field");
        const descending = read(fields, "order") === "desc";
        const key = word && sortKey(word, { descending, table, members }, at);
        return key && [key];
      }
      if (item.kind !== "string") return wrongType(item, '"-createdAt" or { field, order }', at);
      const keys = item.value.split(",").map((part) => {
        const word = part.trim();
        const descending = word.startsWith("-");
        const token = { text: descending ? word.slice(1) : word, place: item.place };
        return sortKey(token, { descending, table, members }, at);
      });
      const known = keys.filter((key) => key !== undefined);
      return known.length === keys.length ? known : undefined;
    });
    const known = keys.filter((key) => key !== undefined);
    return known.length === keys.length && keys.length > 0 ? known.flat() : undefined;
  };
}

function sortKey(
  word: Token,
  { descending, table, members }: {
    readonly descending: boolean;
    readonly table: TableDraft;
    readonly members: readonly string[] | null;
  },
  at: At,
): SortKey | undefined {
  if (members !== null) {
    if (members.includes(word.text)) return { column: word.text, descending };
    const details = { column: word.text, key: "defaultSort" };
    at.report.add("VIEW_FIELD_MISSING", word.place, details);
    return undefined;
  }
  const column = requireColumn(word, table, at.report);
  if (column?.type && rulesOf(column.type).isStructured) {
    at.report.add("COLUMN_NOT_COMPARABLE", word.place, { column: column.name });
    return undefined;
  }
  return column && { column: column.name, descending };
}
