/** Declares a record of an action that was found and judged. */
import type { TransitionModel } from "../../../model/mod.ts";
import type { RowRule } from "../../../surface/mod.ts";
import type { RowKey, StoredRow } from "../../data/types.ts";

/** A record that access admitted before its part of the transaction began. */
export interface JudgedRecord extends FoundRecord {
  /** The rule that the record must still meet. */
  readonly rule: RowRule | null;
  readonly move: Move | null;
}

/** A record that the caller's firewall admits. */
export interface FoundRecord {
  readonly key: RowKey;
  readonly row: StoredRow;
}

/** A move of a state field. */
export interface Move {
  readonly transition: TransitionModel;
  readonly from: string | null;
  readonly to: string;
  /** True when the record is in the target state already, and that is no mistake. */
  readonly isDone: boolean;
}
