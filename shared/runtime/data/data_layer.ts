/** The data layer of one app. All SQL of a generated API is here, behind the `DataLayer` interface. */
import type { ProjectModel, TableModel } from "../../model/mod.ts";
import type { Clock, Randomness, RowQuota, Transaction } from "../ports.ts";
import { catalogOf } from "./catalog.ts";
import { rowRoomOf } from "./row_room.ts";
import { hardDeleteRows, softDeleteRows } from "./delete_rows.ts";
import {
  insertAudit,
  insertRow,
  insertRows,
  newRow,
  replacedValues,
  replaceRow,
  updatedRow,
  updateHeld,
  updateRow,
} from "./write_row.ts";
import { isVisible, judgeRows, judgeWritten, shownColumns } from "./judged_rows.ts";
import { prepareGroups } from "./select_groups.ts";
import { completeRows } from "./made_values.ts";
import { selectHistory } from "./record_history.ts";
import { membersAmong } from "./members.ts";
import { restoreRow } from "./restore_rows.ts";
import { preparePage } from "./select_page.ts";
import {
  deletedIds,
  prepareRecord,
  probeDeleted,
  readableIds,
  selectHeld,
  selectPlace,
  selectStored,
  selectStoredRows,
  selectWithIncluded,
  selectWritten,
  selectWrittenRows,
} from "./select_record.ts";
import type { DataLayer, Deletions } from "./types.ts";
import { tableSizes, turnOf, unboundedWithin } from "./unbounded.ts";

/** Makes the data layer. It is made once per app, because it caches what it builds. */
export function dataLayerOf(
  project: ProjectModel,
  { clock, random, rowQuota = null }: {
    readonly clock: Clock;
    readonly random: Randomness;
    /** Absent: a tenant may have any number of rows. */
    readonly rowQuota?: RowQuota | null | undefined;
  },
): DataLayer {
  const catalog = catalogOf(project);
  const sizes = tableSizes(clock);
  const room = rowRoomOf(catalog, rowQuota);
  const cascades = ({ name }: TableModel) => (catalog.childrenOf.get(name) ?? []).length > 0;
  const wide = (transaction: Transaction, { firewall }: Pick<Deletions, "firewall">) =>
    cascades(firewall.table) ? unboundedWithin(transaction, turnOf(firewall)) : transaction;
  return {
    preparePage: (query) => preparePage(catalog, sizes, query),
    prepareGroups: (query) => prepareGroups(sizes, query),
    prepareRecord: (query) => prepareRecord(catalog, query),
    selectWithIncluded: (reader, query) => selectWithIncluded(catalog, reader, query),
    selectPlace,
    selectWritten: (transaction, query) => selectWritten(catalog, transaction, query),
    selectStored: (reader, key) => selectStored(catalog, reader, key),
    selectHeld: (transaction, key) => selectHeld(catalog, transaction, key),
    selectStoredRows,
    selectWrittenRows: (transaction, query) => selectWrittenRows(catalog, transaction, query),
    probeDeleted,
    deletedIds,
    readableIds,
    membersAmong,
    judgeRows,
    shownColumns,
    judgeWritten,
    isVisible,
    newRow,
    updatedRow,
    replacedValues,
    requireRoom: async (transaction, firewall, rows) => {
      if (room !== null) await room.require(transaction, firewall, rows);
    },
    completeRows: (transaction, insertions) => completeRows(transaction, insertions, random),
    insertRow: (transaction, insertion) => insertRow(catalog, transaction, insertion),
    insertRows: (transaction, insertions) => insertRows(catalog, transaction, insertions),
    updateRow,
    replaceRow,
    updateHeld,
    cascades,
    softDeleteRows: (transaction, deletion) =>
      softDeleteRows(catalog, wide(transaction, deletion), deletion),
    async hardDeleteRows(transaction, deletion) {
      const removed = await hardDeleteRows(catalog, wide(transaction, deletion), deletion);
      room?.add(deletion.firewall, -removed.size);
      return removed;
    },
    restoreRow: (transaction, restoration) => restoreRow(catalog, transaction, restoration),
    selectHistory,
    insertAudit,
  };
}
