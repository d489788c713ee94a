/** Builds example values that are valid against their schemas, the same in every build. */
import { holdsFiles, idExample, rulesOf, scopeOf, valuesOf } from "../../column_types/mod.ts";
import { maskRecord, PAGE_SIZE_DEFAULT } from "../../contract/mod.ts";
import type { ColumnModel, JsonValue, ProjectModel, ResourceModel } from "../../model/mod.ts";
import type { TableModel } from "../../model/mod.ts";
import { clientIdRule } from "../ids.ts";
import type { JsonSchema } from "../parameters.ts";
import { columnNamed, tableNamed, tableOf } from "../tables.ts";
import { writableColumns, type WriteVerb } from "../writable.ts";
import { labelsOf } from "./record.ts";

/** Returns a record as a caller without special roles sees it. */
export function recordExample(
  resource: ResourceModel,
  columns: readonly string[],
  project: ProjectModel,
): JsonSchema {
  const table = tableOf(resource, project);
  const example = new Map<string, JsonValue>();
  for (const name of columns) example.set(name, shownExample(name, resource, table, project));
  for (const { field, table: target, display } of labelsOf(resource, columns)) {
    const shown = tableNamed(target, project);
    example.set(field, valueExample(columnNamed(display, shown), shown, project));
  }
  return Object.fromEntries(example);
}

/** Returns a body with every field that the verb may write. */
export function bodyExample(
  verb: WriteVerb,
  resource: ResourceModel,
  project: ProjectModel,
): JsonSchema {
  const table = tableOf(resource, project);
  const id = verb === "create" && clientIdRule(table) === "required"
    ? [[table.primaryKey, idExample(table)] as const]
    : [];
  const fields = writableColumns(verb, resource, table)
    .filter(({ type }) => !rulesOf(type).isAsked)
    .map((column) =>
      [
        column.name,
        rulesOf(column.type).isFile
          ? holdsFiles(column.type) ? [] : null
          : valueExample(column, table, project),
      ] as const
    );
  return Object.fromEntries([...id, ...fields]);
}

/** Returns a page with this one record. */
export function pageExample(record: JsonValue): JsonSchema {
  const pagination = {
    count: 1,
    page: 1,
    pageSize: PAGE_SIZE_DEFAULT,
    hasMore: false,
    nextCursor: null,
    prevCursor: null,
  };
  return { data: [record], view: null, pagination };
}

function shownExample(
  name: string,
  resource: ResourceModel,
  table: TableModel,
  project: ProjectModel,
): JsonValue {
  const mask = Object.hasOwn(resource.masks, name) ? resource.masks[name] : undefined;
  if (mask) return maskRecord(mask.type).example;
  const column = columnNamed(name, table);
  if (column.manager === "system" && column.name.startsWith("deleted")) return null;
  return valueExample(column, table, project);
}

function valueExample(column: ColumnModel, table: TableModel, project: ProjectModel): JsonValue {
  if (column.references) return idExample(tableNamed(column.references.table, project));
  const scope = scopeOf(column.type);
  if (scope !== null) return `<${scope}_id>`;
  if (column.default?.kind === "literal") return column.default.value;
  return valuesOf(column, table).example(
    column.manager === "system" ? "<user_id>" : `Example ${column.name}`,
  );
}
