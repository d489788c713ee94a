/** Builds references to schemas under `components` for the bodies and responses of resources. */
import { idExample } from "../../../../column_types/mod.ts";
import { type JsonValue, SYSTEM_FIELDS } from "../../../../contract/mod.ts";
import { isJsonObject } from "../../../../lib/json.ts";
import type { ProjectModel, ResourceModel } from "../../../../model/mod.ts";
import type { JsonSchema, Operation, WriteVerb } from "../../../../surface/mod.ts";
import { hooksAround } from "../../../../surface/mod.ts";
import { bodyExample, changeSchema, embeddablesOf, itemCodesOf } from "../../../../surface/mod.ts";
import { operationsOf, pascalCase, recordExample, recordSchema } from "../../../../surface/mod.ts";
import { tableOf, undemandedJsonSchema, vectorColumnOf } from "../../../../surface/mod.ts";
import { VERBS, withDistance } from "../../../../surface/mod.ts";
import * as batchSchemas from "../../../../surface/schema/batch.ts";
import * as envelopes from "../../../../surface/schema/envelopes.ts";
import * as names from "./component_names.ts";
import type { Components, Reference } from "./components.ts";

/** The document that is being built. */
export interface Describing {
  readonly project: ProjectModel;
  readonly components: Components;
}

/** Returns a reference to the record of a response; a view's record has only the columns that the view shows. */
export function recordRef(
  described: Pick<Operation, "resource" | "view">,
  { project, components }: Describing,
): Reference {
  const { resource, view } = described;
  return components.refer("schemas", names.recordName(described), () => {
    const table = tableOf(resource, project);
    if (view?.groupBy) return envelopes.groupSchema(view.groupBy, view.aggregations, table);
    const columns = table.columns.map(({ name }) => name);
    const shown = shownRecord(resource, view?.fields ?? columns, { project, components });
    const isList = view !== null && view.name === resource.read?.defaultView;
    return isList && vectorColumnOf(table) !== null ? withDistance(shown) : shown;
  });
}

/** Returns a record with examples. Columns that every table has are references. */
function shownRecord(
  resource: ResourceModel,
  columns: readonly string[],
  { project, components }: Describing,
): JsonSchema {
  const examples = recordExample(resource, columns, project);
  return withMembers(recordSchema(resource, columns, project), (name, member) => {
    if (SYSTEM.includes(name)) {
      const key = JSON.stringify(member);
      return components.referVariant("schemas", pascalCase(name), key, () => member);
    }
    return withExample(member, examples[name]);
  });
}

const SYSTEM: readonly string[] = SYSTEM_FIELDS;

/** Returns the members of a request body, with examples. */
function sentFields(
  verb: WriteVerb,
  resource: ResourceModel,
  { project }: Describing,
): JsonSchema {
  const table = tableOf(resource, project);
  const id = { [table.primaryKey]: idExample(table) };
  const examples = { ...id, ...bodyExample(verb, resource, project) };
  const schema = undemandedJsonSchema(verb, resource, table);
  return withMembers(schema, (name, member) => withExample(member, examples[name]));
}

function withMembers(
  schema: JsonSchema,
  change: (name: string, member: JsonSchema) => JsonSchema,
): JsonSchema {
  const members = Object.entries(isSchema(schema.properties) ? schema.properties : {});
  return {
    ...schema,
    properties: Object.fromEntries(
      members.map(([name, member]) => [name, isSchema(member) ? change(name, member) : member]),
    ),
  };
}

/** Adds an example. Numbers, formats and closed sets need none, because they describe their values. */
function withExample(schema: JsonSchema, example: JsonValue | undefined): JsonSchema {
  const { type, format, enum: values, allOf } = schema;
  const isText = type === undefined || type === "string" ||
    Array.isArray(type) && type.includes("string");
  const isTold = format !== undefined || values !== undefined || allOf !== undefined;
  return isText && !isTold && example !== undefined ? { ...schema, examples: [example] } : schema;
}

function isSchema(value: JsonValue | undefined): value is JsonSchema {
  return isJsonObject(value);
}

/** Returns the response of a single read: the record, and the related records that it may include. */
export function readRef(operation: Operation, context: Describing): Reference {
  const included = includedOf(operation, context);
  if (included === null) return recordRef(operation, context);
  const { project, components } = context;
  return components.refer("schemas", names.readName(operation), () => {
    const { columns } = tableOf(operation.resource, project);
    return envelopes.withIncluded(
      shownRecord(operation.resource, columns.map(({ name }) => name), context),
      included,
    );
  });
}

export function pageRef(operation: Operation, context: Describing): Reference {
  const { project, components } = context;
  return components.refer("schemas", names.pageName(operation), () => {
    components.refer("schemas", "Pagination", () => envelopes.PAGINATION);
    const table = tableOf(operation.resource, project);
    const { view } = operation;
    const aggregations = view?.groupBy
      ? null
      : envelopes.aggregationsSchema(view?.aggregations ?? [], table);
    const record = recordRef(operation, context);
    const page = envelopes.pageSchema(record, view?.name ?? null, aggregations);
    return envelopes.withIncluded(page, includedOf(operation, context));
  });
}

/** Returns a page of a record's changes. */
export function historyRef(operation: Operation, context: Describing): Reference {
  const { project, components } = context;
  const { resource } = operation;
  return components.refer("schemas", names.historyName(operation), () => {
    components.refer("schemas", "Pagination", () => envelopes.PAGINATION);
    const change = components.refer("schemas", names.changeName(operation), () => {
      const columns = tableOf(resource, project).columns.map(({ name }) => name);
      return changeSchema(shownRecord({ ...resource, labels: [] }, columns, context));
    });
    return envelopes.pageSchema(change, null, null);
  });
}

/** Returns the schema of included records; null: the operation includes none. */
function includedOf(operation: Operation, context: Describing): JsonSchema | null {
  const embeddables = embeddablesOf(operation, context.project);
  if (embeddables.length === 0) return null;
  return envelopes.includedSchema(
    embeddables.map(({ name, direction, resource }) => ({
      name,
      direction,
      record: recordRef({ resource, view: null }, context),
    })),
  );
}

/** Returns the request body of an operation that has one. */
export function bodyRef(
  kind: names.BodyKind,
  operation: Operation,
  context: Describing,
): Reference {
  return context.components.refer(
    "schemas",
    names.bodyName(kind, operation),
    () => {
      const { resource, batch } = operation;
      const table = tableOf(resource, context.project);
      const verb = VERBS[kind];
      if (batch !== null) {
        const { name, schema } = batchSchemas.batchOptions(batch);
        context.components.refer("schemas", name, () => schema);
      }
      if (verb === "read" || verb === "history" || verb === "delete" || verb === "restore") {
        return batch === null ? {} : batchSchemas.idsBodySchema(table, batch);
      }
      if (batch === null) return sentFields(verb, resource, context);
      if (verb === "create") {
        return batchSchemas.recordsBodySchema(bodyRef("create", operation, context), batch);
      }
      const id = verb === "upsert"
        ? batchSchemas.chosenIdSchema(table)
        : batchSchemas.idSchema(table);
      const named = withExample(id, idExample(table));
      const record = batchSchemas.namedRecordSchema(
        sentFields(verb, resource, context),
        table,
        named,
      );
      return batchSchemas.recordsBodySchema(record, batch);
    },
  );
}

/** Returns the response of a batch (contract 2.6, 4.1 rule 6). */
export function batchRef(operation: Operation, context: Describing): Reference {
  const { resource, kind } = operation;
  const { project, components } = context;
  const entry = VERBS[kind] === "delete" ? "id" : "record";
  return components.refer("schemas", names.batchName(entry, operation), () => {
    components.refer("schemas", "BatchMeta", () => batchSchemas.BATCH_META);
    components.refer(
      "schemas",
      "BatchError",
      () => batchSchemas.batchErrorSchema(hasHookedBatch(project) ? null : itemCodes(project)),
    );
    if (entry === "record") {
      components.refer("schemas", "BatchRecordError", () => batchSchemas.BATCH_RECORD_ERROR);
      return batchSchemas.batchSchema(recordRef(operation, context), entry);
    }
    components.refer("schemas", "BatchIdError", () => batchSchemas.BATCH_ID_ERROR);
    const columns = batchSchemas.deletedColumns(resource, tableOf(resource, project));
    return batchSchemas.batchSchema(shownRecord(resource, columns, context), entry);
  });
}

/** True if the author's code, whose codes are its own, may refuse single records of some batch. */
function hasHookedBatch(project: ProjectModel): boolean {
  return operationsOf(project).some((operation) =>
    operation.batch !== null && hooksAround(operation, project) !== null
  );
}

/** Returns every code that refuses single records of some batch. */
function itemCodes(project: ProjectModel) {
  const batches = operationsOf(project).filter(({ batch }) => batch !== null);
  return [...new Set(batches.flatMap((operation) => itemCodesOf(operation, project)))].sort();
}
