/**
 * Builds schemas of records in responses (contract 2.1–2.4): every selected column is required, nullable ones are `T | null`.
 */
import { rulesOf, scopeOf, valuesOf } from "../../column_types/mod.ts";
import { DISTANCE_MEMBER } from "../../contract/mod.ts";
import type { ColumnModel, LabelModel, ProjectModel, ResourceModel } from "../../model/mod.ts";
import type { TableModel } from "../../model/mod.ts";
import type { JsonSchema } from "../parameters.ts";
import { columnNamed, tableNamed, tableOf } from "../tables.ts";
import { isJsonObject } from "../../lib/json.ts";
import { sentence } from "../../lib/texts.ts";
import { refusalOf } from "../writable.ts";
import { orNull } from "./zod_json.ts";

/** Keyword with the name of the mask that may replace a value. */
export const MASKED_KEYWORD = "x-masked";

const DISTANCE: JsonSchema = {
  type: "number",
  description: "How far the record is from what `near` asks for. There when `near` was sent.",
};

/** Returns a record of the default view with its distance, which the plain list has, too. */
export function withDistance({ properties, ...record }: JsonSchema): JsonSchema {
  const members = isJsonObject(properties) ? properties : {};
  return { ...record, properties: { ...members, [DISTANCE_MEMBER]: DISTANCE } };
}

/** Returns a record of these columns, with the labels of those that are foreign keys. */
export function recordSchema(
  resource: ResourceModel,
  columns: readonly string[],
  project: ProjectModel,
): JsonSchema {
  const table = tableOf(resource, project);
  const properties = new Map<string, JsonSchema>();
  for (const name of columns) {
    const column = columnNamed(name, table);
    // The id of a user, a scope or another record is never empty.
    const { schema } = valuesOf(column, table);
    const isName = column.references !== null || column.manager === "system" ||
      scopeOf(column.type) !== null;
    const isText = schema.type === "string" && Object.keys(schema).length === 1;
    const plain = isName && isText ? { ...schema, minLength: 1 } : schema;
    const mask = Object.hasOwn(resource.masks, name) ? resource.masks[name] : undefined;
    const shown = mask ? { ...maskable(plain), [MASKED_KEYWORD]: mask.type } : plain;
    properties.set(name, {
      ...(column.nullable ? orNull(shown) : shown),
      description: [
        contentText(column, table),
        writerText(column, resource, table),
        maskText(column.name, resource),
      ].filter((text) => text !== "").join(" "),
    });
  }
  for (const label of labelsOf(resource, columns)) {
    // The label is null when the caller may not see the target, and masked when its source is masked for the caller
    // (definitions 7).
    const target = tableNamed(label.table, project);
    const display: ColumnModel = columnNamed(label.display, target);
    properties.set(label.field, {
      ...orNull(maskable(valuesOf(display, target).schema)),
      description:
        `\`${label.display}\` of the record that \`${label.column}\` names; null when the caller may not see it.`,
    });
  }
  const { description } = resource;
  const unasked = new Set(
    table.columns.filter(({ type }) => rulesOf(type).isAsked).map(({ name }) => name),
  );
  if (columns.some((name) => unasked.has(name))) {
    unasked.add(DISTANCE_MEMBER);
    properties.set(DISTANCE_MEMBER, DISTANCE);
  }
  return {
    type: "object",
    ...(description === undefined ? {} : { description: sentence(description) }),
    properties: Object.fromEntries(properties),
    required: [...properties.keys()].filter((name) => !unasked.has(name)),
    additionalProperties: false,
  };
}

/** Returns the labels: `<name>_label` belongs to its column (contract 2.4). */
export function labelsOf(
  resource: ResourceModel,
  columns: readonly string[],
): readonly LabelModel[] {
  return resource.labels.filter((label) => columns.includes(label.column));
}

/** Returns a schema that also accepts a mask. A mask is text of its own form and length, so only the type remains. */
function maskable(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (type === undefined) return {};
  return type === "string" ? { type: "string" } : { type: [type, "string"] };
}

/** Returns the description of a column in a write body. */
export function fieldText(column: ColumnModel, table: TableModel): string {
  const isCleared = column.nullable && !rulesOf(column.type).isStructured;
  return contentText(column, table) + (isCleared ? " Null clears it." : "");
}

/** Returns the description of a column's content, which begins with the author's description if there is one. */
function contentText(column: ColumnModel, table: TableModel): string {
  const { description } = column;
  const kind = kindText(column, table);
  if (description === undefined) return kind;
  return `${sentence(description)} ${kind}`;
}

function kindText(column: ColumnModel, table: TableModel): string {
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
    ...(mask.showRows ? ["some callers, by the record"] : []),
  ];
  return seers.length === 0
    ? `Always masked as \`${mask.type}\`.`
    : `Masked as \`${mask.type}\` but for ${seers.join(", ")}.`;
}

/** Returns a name as words: `dueAt` as `Due at`. */
function words(name: string): string {
  const text = name.replaceAll("_", " ").replace(
    /(?<=[a-z0-9])[A-Z]/g,
    (letter) => ` ${letter.toLowerCase()}`,
  );
  return text.charAt(0).toUpperCase() + text.slice(1);
}
