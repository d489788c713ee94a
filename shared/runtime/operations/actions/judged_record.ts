/** A record of an action, found and judged. */
import type { TransitionModel } from "../../../model/mod.ts";
import type { RowRule } from "../../../surface/mod.ts";
import type { RowKey, StoredRow } from "../../data/types.ts";

/** A record that was let through before its part of the transaction began. */
export interface JudgedRecord extends FoundRecord {
  /** The rule that it must still meet. */
  readonly rule: RowRule | null;
  readonly move: Move | null;
}

/** A record behind its caller's firewall. */
export interface FoundRecord {
  readonly key: RowKey;
  readonly row: StoredRow;
}

/** A move of a state field. */
export interface Move {
  readonly transition: TransitionModel;
  readonly from: string | null;
  readonly to: string;
  /** The record is there already, and that is no mistake. */
  readonly isDone: boolean;
}
