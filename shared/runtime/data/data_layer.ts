/** The data layer of one app: the only SQL of a generated API, behind the `DataLayer` interface. */
import type { ProjectModel } from "../../model/project.ts";
import { catalogOf } from "./catalog.ts";
import { hardDeleteRow, softDeleteRow } from "./delete_rows.ts";
import { insertAudit } from "./insert_audit.ts";
import { insertRow } from "./insert_row.ts";
import { selectPage } from "./select_page.ts";
import {
  probeDeleted,
  readableIds,
  selectRecord,
  selectStored,
  selectWritten,
} from "./select_record.ts";
import type { DataLayer } from "./types.ts";
import { updateRow } from "./update_row.ts";

/** Made once per app: it keeps what it builds for this project. */
export function dataLayerOf(project: ProjectModel): DataLayer {
  const catalog = catalogOf(project);
  return {
    selectPage: (reader, query) => selectPage(catalog, reader, query),
    selectRecord: (reader, query) => selectRecord(catalog, reader, query),
    selectWritten: (transaction, query) => selectWritten(catalog, transaction, query),
    selectStored: (reader, key) => selectStored(catalog, reader, key),
    probeDeleted,
    readableIds,
    insertRow: (transaction, insertion) => insertRow(catalog, transaction, insertion),
    updateRow,
    softDeleteRow: (transaction, deletion) => softDeleteRow(catalog, transaction, deletion),
    hardDeleteRow,
    insertAudit,
  };
}
