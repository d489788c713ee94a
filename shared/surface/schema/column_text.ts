/**
 * Description of a column: its content, its writers, and the roles that see it plain (contract 2.2–2.4, definitions 4.3,
 * 4.4).
 */
import { rulesOf, scopeOf, valuesOf } from "../../column_types/mod.ts";
import type { ColumnModel } from "../../model/column.ts";
import type { ResourceModel } from "../../model/resource.ts";
import type { TableModel } from "../../model/table.ts";
import { refusalOf } from "../writable.ts";

/** Describes a column in an answer. */
export function columnText(
  column: ColumnModel,
  resource: ResourceModel,
  table: TableModel,
): string {
  return [
    contentText(column, table),
    writerText(column, resource, table),
    maskText(column.name, resource),
  ].filter((text) => text !== "").join(" ");
}

/** Describes a column in a write body. */
export function fieldText(column: ColumnModel, table: TableModel): string {
  const isCleared = column.nullable && !rulesOf(column.type).isStructured;
  return contentText(column, table) + (isCleared ? " Null clears it." : "");
}

function contentText(column: ColumnModel, table: TableModel): string {
  const { name, manager, references, type } = column;
  if (manager === "id") return "Id of the record.";
  if (manager === "system") return SYSTEM_TEXTS[name] ?? `Kept by the service as \`${name}\`.`;
  if (manager === "revision") return "Revision of the record, one more with every write.";
  const scope = scopeOf(type);
  if (scope !== null) return `The ${scope} that the record belongs to.`;
  if (references !== null) return `Id of one of \`${references.table}\`.`;
  return `${words(name)}: ${valuesOf(column, table).words}.`;
}

const SYSTEM_TEXTS: Readonly<Record<string, string>> = {
  createdAt: "When the record was created.",
  createdBy: "Id of the user who created it.",
  modifiedAt: "When the record was last changed.",
  modifiedBy: "Id of the user who last changed it.",
  deletedAt: "When the record was deleted; null while it is live.",
  deletedBy: "Id of the user who deleted it; null while it is live.",
};

function writerText(column: ColumnModel, resource: ResourceModel, table: TableModel): string {
  if (column.manager !== "client") return "Set by the service.";
  const { name } = column;
  const actions = resource.guards?.protected[name] ?? [];
  if (actions.length > 0) {
    return `Written by ${actions.map((one) => `\`${one}\``).join(", ")} only.`;
  }
  const isCreated = refusalOf("create", name, resource, table) === null;
  const isUpdated = refusalOf("update", name, resource, table) === null;
  if (isCreated) return isUpdated ? "" : "Fixed once the record is created.";
  return isUpdated ? "" : "Not written through this resource.";
}

function maskText(name: string, { masks }: ResourceModel): string {
  const mask = Object.hasOwn(masks, name) ? masks[name] : undefined;
  if (mask === undefined) return "";
  const seers = [
    ...mask.showRoles.map((role) => `\`${role}\``),
    ...(mask.showOwner ? ["the record's owner"] : []),
  ];
  return seers.length === 0
    ? `Always masked as \`${mask.type}\`.`
    : `Masked as \`${mask.type}\` but for ${seers.join(", ")}.`;
}

/** `dueAt` as `Due at`. */
function words(name: string): string {
  const text = name.replaceAll("_", " ").replace(
    /(?<=[a-z0-9])[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}
