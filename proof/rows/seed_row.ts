/** Row that the proofs plant. */
import type { JsonValue, TableModel } from "../../shared/model/mod.ts";
import type { RowId } from "./row_ids.ts";

export interface SeedRow {
  readonly table: TableModel;
  /** Text for people: `home`, `status "resolved"`, `organizationId of another`. */
  readonly variant: string;
  readonly id: RowId;
  /** Values of every column by its API name, as in JSON. */
  readonly values: SeedValues;
}

export type SeedValues = Readonly<Record<string, JsonValue>>;
