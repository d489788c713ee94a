/** Redaction of a column in responses (definitions 4.4). */
import type { MaskType } from "../contract/masks.ts";

export type { MaskType };

export interface MaskRule {
  readonly type: MaskType;
  /** Holders of one of these see it plain. */
  readonly showRoles: readonly string[];
  /** The row's owner sees it plain. */
  readonly showOwner: boolean;
  /** Holders of one of these may filter, sort and search by it. */
  readonly queryRoles: readonly string[];
  /** True for a rule that nobody wrote: the column's name is well known. */
  readonly automatic: boolean;
}
