/** Builds the tools that describe the others' arguments: the project's model, as far as the caller may use it. */
import { z } from "zod";
import type { JsonValue, Principal, ProjectModel } from "../../model/mod.ts";
import type { ActionOperation, Operation, WriteVerb } from "../../surface/mod.ts";
import { bodyJsonSchema, mayQueryBy, outputColumns, parametersOf } from "../../surface/mod.ts";
import { recordSchema, schemaJson, sentInput, sightOf } from "../../surface/mod.ts";
import {
  parametersIn,
  READS,
  refusedArguments,
  resourceArgument,
  type Tool,
  toolOf,
} from "./tool.ts";
import type { Reach, RecordKind, ResourceReach } from "./reach.ts";

interface DescribeOptions {
  readonly project: ProjectModel;
  readonly principal: Principal;
}

/** Describes the operations on a resource that the caller may run; no tool without a resource. */
export function describeResourceTool(reach: Reach, options: DescribeOptions): readonly Tool[] {
  return reach.resources.size === 0 ? [] : [toolOf(
    {
      name: "describe_resource",
      title: "Describe a resource",
      description:
        "Tells a resource's fields, which of them may be written, filtered and sorted by, its views and its actions: what you may do with it. Ask before you write or filter.",
      effects: READS,
    },
    { resource: resourceArgument([...reach.resources.values()]) },
    ({ resource }) => {
      const found = reach.resources.get(resource);
      if (!found) return refusedArguments(`There is no resource "${resource}"`, []);
      return { kind: "told", data: described(found, { reach, ...options }) };
    },
  )];
}

export const DESCRIBE_ACTION = "describe_action";

/** Describes actions that have no tool of their own. */
export function describeActionTool(actions: readonly ActionOperation[]): Tool {
  return toolOf(
    {
      name: DESCRIBE_ACTION,
      title: "Describe an action",
      description: "Tells what an action does, what it takes and what it answers.",
      effects: READS,
    },
    { action: z.enum(actions.map(({ action }) => action.key)) },
    ({ action: key }) => {
      const found = actions.find(({ action }) => action.key === key);
      if (!found) return refusedArguments(`There is no action "${key}"`, []);
      return { kind: "told", data: describedAction(found) };
    },
  );
}

interface Known extends DescribeOptions {
  readonly reach: Reach;
}

function described(found: ResourceReach, known: Known): JsonValue {
  const { resource, table, list, views, records } = found;
  const { project, reach } = known;
  const reads = [...(list === null ? [] : [list]), ...views.values()];
  // A caller with views alone sees the columns of those views only.
  const columns = table.columns.map(({ name }) => name).filter((name) =>
    records.size > 0 || reads.some((one) => outputColumns(one, table).includes(name))
  );
  return {
    resource: resource.name,
    ...(resource.description === undefined ? {} : { description: resource.description }),
    operations: [
      ...(list === null ? [] : ["list"]),
      ...[...records.keys()],
    ],
    record: recordSchema(resource, columns, project),
    ...(list === null ? {} : { list: pageOf(list, known) }),
    views: [...views.values()].map((view) => ({
      name: view.view?.name ?? "",
      fields: [...outputColumns(view, table)],
      ...pageOf(view, known),
    })),
    ...Object.fromEntries(WRITES.flatMap((kind) => {
      const action = found.records.get(kind)?.action;
      // The input of the action that replaces the verb, as `data`.
      if (action) return [[kind, schemaJson(sentInput(action), "input")]];
      if (kind === "delete") return [];
      const isThere = found.records.has(kind) || found.records.has(BATCH_KINDS[kind]);
      return isThere ? [[kind, bodyJsonSchema(kind, found.resource, found.table)]] : [];
    })),
    maskedForYou: columns.filter((name) =>
      sightOf(resource, name, known.principal).kind === "masked"
    ),
    countsRevisions: table.revision !== null,
    actions: reach.actions.filter((one) => one.resource === resource).map(describedAction),
  };
}

const WRITES = ["create", "update", "upsert", "delete"] as const;

const BATCH_KINDS: Readonly<Record<WriteVerb, RecordKind>> = {
  create: "batchCreate",
  update: "batchUpdate",
  upsert: "batchUpsert",
};

/** Returns the schema of a page's query; columns that are masked for the caller are left out. */
function pageOf(operation: Operation, { project, principal }: Known): {
  readonly [key: string]: JsonValue;
} {
  const filters = new Map<string, string[]>();
  const told = { sortable: [] as string[], searchable: [] as string[], include: [] as string[] };
  const isAsked = (column: string) => mayQueryBy(column, operation.resource, principal);
  for (const { use } of parametersOf(operation, project)) {
    if (use.kind === "filter" && isAsked(use.column)) {
      filters.set(use.column, [...filters.get(use.column) ?? [], use.operator]);
    }
    if (use.kind === "sort") told.sortable.push(...use.columns.filter(isAsked));
    if (use.kind === "search") told.searchable.push(...use.columns.filter(isAsked));
    if (use.kind === "include") told.include.push(...use.columns);
  }
  return { filters: Object.fromEntries(filters), ...told };
}

function describedAction(operation: ActionOperation): JsonValue {
  const { action, method } = operation;
  return {
    action: action.key,
    description: action.description,
    parameters: [...parametersIn(operation)],
    readsOnly: method === "GET",
    input: schemaJson(sentInput(operation), "input"),
    output: action.output === null ? null : schemaJson(action.output, "output"),
  };
}
