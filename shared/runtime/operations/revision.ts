/** The revision that a conditional write names and an answer carries (contract 4.1 rule 8). Refuses with `PRECONDITION_FAILED`. */
import { HEADERS } from "../../contract/headers.ts";
import type { TableModel } from "../../model/table.ts";
import type { StoredRow } from "../data/types.ts";
import { refuse } from "../refusal.ts";
import { matchesRevision } from "../request/headers.ts";

/**
 * Judges `If-Match` by the row that is about to be written; null: there is none. Asked after the firewall and access, so
 * that a foreign row answers as a missing one does, and in the transaction of the write (`conditional_write.ts`).
 */
export function requireRevision(
  headers: Headers,
  { revision: column }: TableModel,
  row: StoredRow | null,
): void {
  const ifMatch = headers.get(HEADERS.ifMatch);
  if (ifMatch === null || column === null) return;
  const revision = row?.get(column);
  if (typeof revision === "number" && matchesRevision(ifMatch, revision)) return;
  refuse("PRECONDITION_FAILED", {
    detail: row
      ? "The record was written since the revision in 'If-Match'"
      : "'If-Match' needs a record, and there is none",
  });
}
