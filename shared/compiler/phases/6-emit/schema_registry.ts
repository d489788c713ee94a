/**
 * Writes `schema-registry.json`: facts about each resource that forms and tables of a user interface need (definitions 2, 4;
 * contract 9.6).
 */
import { valuesOf } from "../../../column_types/mod.ts";
import type { ColumnModel, JsonValue, ProjectModel, ResourceModel } from "../../../model/mod.ts";
import type { TableModel } from "../../../model/mod.ts";
import type { ActionOperation } from "../../../surface/mod.ts";
import { actionOperationsOf, operationsOf, rolesNamedBy } from "../../../surface/mod.ts";
import { schemaJson, tableNamed, tableOf, writableColumns } from "../../../surface/mod.ts";

type Json = { readonly [member: string]: JsonValue };

/** Writes keys in a fixed order and resources in model order: the same model gives the same bytes. */
export function emitSchemaRegistry(model: ProjectModel): string {
  const operations = operationsOf(model);
  const actions = actionOperationsOf(model).filter(({ kind }) => kind !== "bulkAction");
  const registry = {
    name: model.name,
    contract: model.contract,
    resources: model.resources.map((resource) => {
      const table = tableOf(resource, model);
      const writable = (verb: "create" | "update") =>
        writableColumns(verb, resource, table).map((column) => column.name);
      return {
        name: resource.name,
        feature: resource.feature,
        segment: resource.segment,
        table: table.name,
        primaryKey: table.primaryKey,
        idStrategy: table.idStrategy,
        displayColumn: table.displayColumn,
        softDelete: table.softDelete,
        scope: { ...table.scope },
        columns: table.columns.map((column) => columnEntry(column, resource, table, model)),
        labels: resource.labels.map(({ field, column, table, display }) => ({
          field,
          column,
          table,
          display,
        })),
        guards: {
          createable: resource.create ? writable("create") : [],
          updatable: resource.update ? writable("update") : [],
          immutable: resource.guards?.immutable ?? [],
          protected: resource.guards?.protected ?? {},
        },
        operations: operations.filter((operation) => operation.resource === resource).map(
          ({ id, kind, method, path, access }) => ({
            operationId: id,
            kind,
            method,
            path,
            roles: rolesNamedBy(access),
          }),
        ),
        actions: actions.filter((action) => action.resource === resource).map(actionEntry),
        views: (resource.read?.views ?? []).map((view) => ({
          name: view.name,
          segment: view.segment,
          fields: view.fields,
          roles: rolesNamedBy(view.access),
          include: view.include,
          filterable: view.filterable,
          sortable: view.sortable,
          searchable: view.searchable,
          defaultSort: view.defaultSort.map(({ column, descending }) => ({ column, descending })),
          aggregations: view.aggregations.map(({ name, fn, column }) => ({ name, fn, column })),
          ...(view.groupBy ? { groupBy: view.groupBy } : {}),
        })),
        ...(resource.description === undefined ? {} : { description: resource.description }),
        defaultView: resource.read?.defaultView ?? null,
        defaultSort: resource.defaultSort.map(({ column, descending }) => ({ column, descending })),
        transitions: resource.transitions,
        inputHints: resource.inputHints,
        layouts: resource.layouts,
      };
    }),
    actions: actions.filter(({ resource }) => resource === null).map(actionEntry),
  };
  return `${JSON.stringify(registry, null, 2)}\n`;
}

function columnEntry(
  column: ColumnModel,
  resource: ResourceModel,
  table: TableModel,
  model: ProjectModel,
): Json {
  const { enum: values, maxLength } = valuesOf(column, table);
  return {
    name: column.name,
    type: column.type.kind,
    required: !column.nullable && column.default === null,
    nullable: column.nullable,
    default: defaultEntry(column),
    enum: values,
    maxLength,
    managedBy: column.manager,
    searchable: column.searchable,
    references: referenceEntry(column, model),
    mask: maskEntry(column, resource),
  };
}

function defaultEntry({ default: value }: ColumnModel): JsonValue {
  if (value === null) return null;
  switch (value.kind) {
    case "now":
      return { kind: "now" };
    case "literal":
      return { kind: "literal", value: value.value };
    case "made":
      return { kind: "made", value: { ...value.value } };
  }
}

function referenceEntry({ references }: ColumnModel, model: ProjectModel): JsonValue {
  if (references === null) return null;
  const { table, column, onDelete } = references;
  return { table, column, onDelete, display: tableNamed(table, model).displayColumn };
}

function maskEntry({ name }: ColumnModel, { masks }: ResourceModel): JsonValue {
  const mask = Object.hasOwn(masks, name) ? masks[name] : undefined;
  if (!mask) return null;
  const { type, showRoles, showOwner, queryRoles, automatic } = mask;
  return { type, showRoles, showOwner, queryRoles, automatic };
}

/** Returns the entry of an action for generated forms: access, route and input. */
function actionEntry({ id, method, path, access, action }: ActionOperation): Json {
  const { transition } = action;
  return {
    name: action.name,
    key: action.key,
    description: action.description,
    kind: action.kind,
    verb: action.verb,
    bulk: action.bulk,
    operationId: id,
    method,
    path,
    roles: rolesNamedBy(access),
    responseType: action.responseType,
    unsafe: action.unsafe !== null,
    transition: transition && {
      field: transition.field,
      fromTo: transition.fromTo,
      to: transition.target.kind === "to" ? transition.target.state : null,
      via: transition.target.kind === "via" ? transition.target.input : null,
    },
    input: schemaJson(action.input, "input"),
  };
}
