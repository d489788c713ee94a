/** An id that the client chose, in the form of its table's ids (contract 4.1 rules 3 and 5). Refuses with `VALIDATION_ERROR`. */
import type { TableModel } from "../../../model/table.ts";
import { clientIdPattern } from "../../../surface/client_ids.ts";
import { refuseMember } from "../../refusal.ts";

/** For ids that stand outside the body: in the path, or beside the fields of a batch's record. */
export function requireClientId(table: TableModel, id: string): void {
  const pattern = clientIdPattern(table);
  if (pattern !== null && new RegExp(pattern).test(id)) return;
  refuseMember([table.primaryKey], "Must have the form of this table's ids");
}
