/** Columns of an answer that are masked for the caller, with reasons (definitions 4.4). */
import type { MaskRule } from "../../shared/model/access.ts";
import type { Origin } from "../../shared/model/table.ts";
import { isShown } from "../../shared/oracle/judge.ts";
import { nearestPlace, writtenPlace } from "../../shared/oracle/places.ts";
import type { RuledRoute } from "../../shared/oracle/routes.ts";
import type { DefinedProject, WhyQuestion } from "./why.ts";

export interface MaskedColumn {
  readonly column: string;
  readonly type: MaskRule["type"];
  /** `byRow`: plain in the rows that are the caller's own. */
  readonly shown: "plain" | "masked" | "byRow";
  /** The rule that shows it. */
  readonly rule: string;
  readonly place: Origin;
}

export function masksFor(
  { subject, table }: RuledRoute,
  question: WhyQuestion,
  { places }: DefinedProject,
): readonly MaskedColumn[] {
  const { resource } = subject.operation;
  if (table === null || resource === null || !("masks" in resource)) return [];
  const view = subject.kind === "operation" ? subject.operation.view : null;
  return Object.entries(resource.masks)
    .filter(([column]) => view === null || view.fields.includes(column))
    .map(([column, mask]) => {
      const path = mask.automatic ? `columns.${column}` : `masking.${column}`;
      const { file } = resource.origin;
      return {
        column,
        type: mask.type,
        shown: sightOf(mask, question, table),
        rule: maskText(mask, table.ownerColumn),
        place: writtenPlace(places, file, path) ?? nearestPlace(places, file, path) ??
          resource.origin,
      };
    });
}

function sightOf(
  mask: MaskRule,
  { caller, row }: WhyQuestion,
  table: NonNullable<RuledRoute["table"]>,
): MaskedColumn["shown"] {
  if (row !== undefined && row !== null) {
    return isShown(mask, caller, { row, table }) ? "plain" : "masked";
  }
  if (isShown(mask, caller, { row: {}, table })) return "plain";
  return mask.showOwner && caller.userId !== null ? "byRow" : "masked";
}

function maskText({ showRoles, showOwner, automatic }: MaskRule, ownerColumn: string): string {
  const whom = [...showRoles, ...(showOwner ? [`the row's owner (${ownerColumn})`] : [])];
  const shown = whom.length === 0 ? "shown to nobody" : `shown to ${whom.join(", ")}`;
  return automatic ? `${shown}; nobody wrote this mask, the column's name is well known` : shown;
}
