/** Builds tools for records (contract 4.1 to 4.3): those that read pages, views and single records, and those that write. */
import { z } from "zod";
import { FILTER_OPERATORS, filterOperator } from "../../column_types/mod.ts";
import { BATCH_SIZE_DEFAULT, CONDITION_OPERATORS, PAGE_SIZE_MAX } from "../../contract/mod.ts";
import { RESERVED_PARAMETERS } from "../../contract/mod.ts";
import { exactJsonText, type JsonObject } from "../../lib/json.ts";
import { listOf } from "../../lib/value_list.ts";
import { vectorColumnOf } from "../../surface/mod.ts";
import type { Reach, RecordKind, RecordOperation, ResourceReach } from "./reach.ts";
import type { RecordId, Tool, ToolText, WriteArguments } from "./tool.ts";
import {
  ADDS,
  callOf,
  idArgument,
  IF_MATCH,
  pathOf,
  reachedBy,
  READS,
  refusedArguments,
  REPLACES,
  resourceArgument,
  shown,
  toolOf,
  WRITE_ARGUMENTS,
  writeOptions,
} from "./tool.ts";

/** Default page size, smaller than the API's own: a model that reads a page has little room. */
const LIMIT_DEFAULT = 20;

export function readTools({ resources }: Reach): readonly Tool[] {
  const all = [...resources.values()];
  return [
    ...listTool(all.filter(({ list, views }) => list !== null || views.size > 0)),
    ...getTool(reachedBy(all, "get")),
    ...historyTool(reachedBy(all, "history")),
  ];
}

const NAMES = z.array(z.string().min(1)).min(1).optional();
const FIELDS = NAMES.describe("Only these fields.");
const INCLUDE = NAMES.describe("Foreign keys whose records are answered too, in `included`.");
const SCALAR = z.union([z.string(), z.number(), z.boolean()]);

/** Operators that follow a field's name; a name alone means `eq`. */
const OPERATORS = FILTER_OPERATORS.filter((name) => name !== "eq");

const LIST_ARGUMENTS = {
  view: z.string().min(1).optional().describe("A named view instead of the plain list."),
  filter: z.record(z.string(), z.union([SCALAR, z.array(SCALAR).min(1)])).optional().describe(
    `By field, or \`field.operator\`: ${
      OPERATORS.join(", ")
    }. \`{ "status": "open", "total.gte": 10, "state.in": ["a", "b"] }\``,
  ),
  where: z.record(z.string(), z.unknown()).optional().describe(
    `Conditions by field, with or, and, not, ${
      CONDITION_OPERATORS.join(", ")
    }, and through the names ` +
      'of records that keys refer to. `{ "or": [{ "status": "open" }, { "customer": { "plan": "team" } }] }`',
  ),
  search: z.string().min(1).optional().describe(
    "Text that one of the text fields contains; of resources with full-text search, the beginnings of words, the best match first.",
  ),
  sort: z.array(z.string().min(1)).min(1).optional()
    .describe("Fields, the first one first; with a minus sign, descending."),
  fields: FIELDS,
  include: INCLUDE,
  limit: z.int().min(1).max(PAGE_SIZE_MAX).optional()
    .describe(`Records of one page; ${LIMIT_DEFAULT} when left out.`),
  after: z.string().min(1).optional().describe("`pagination.nextCursor` of the page before."),
  before: z.string().min(1).optional().describe("`pagination.prevCursor` of the page after."),
  total: z.boolean().optional().describe("Count all that match."),
};

/** Argument for callers who may restore records of some resource. */
const DELETED_ARGUMENT = {
  deleted: z.enum(["only", "with"]).optional()
    .describe(
      "Deleted records alone, or beside the others; of resources whose records can be restored.",
    ),
};

/** Argument for callers who may list records with vectors. */
const NEAR_ARGUMENT = {
  near: z.union([z.array(z.number()).min(1), z.string().min(1)]).optional()
    .describe(
      "Orders records by how near they are to this: the numbers of a vector, or words where the resource takes " +
        "`near.text`. Without `sort`, `after` and `before`; each record has its `_distance`.",
    ),
};

function listTool(resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const byName = new Map(resources.map((reach) => [reach.resource.name, reach]));
  const mayRestore = resources.some(({ records }) => records.has("restore"));
  const hasVectors = resources.some(({ list, table }) =>
    list !== null && vectorColumnOf(table) !== null
  );
  return [toolOf(
    {
      name: "list_records",
      title: "List records",
      description:
        "Reads one page of a resource's records, or of a view of them, with filters, search and sort.",
      effects: READS,
    },
    {
      resource: resourceArgument(resources),
      ...LIST_ARGUMENTS,
      ...(mayRestore ? DELETED_ARGUMENT : {}),
      ...(hasVectors ? NEAR_ARGUMENT : {}),
    },
    ({ resource, ...rest }) => {
      const reach = byName.get(resource);
      const views = [...reach?.views.keys() ?? []];
      const { view } = rest;
      const operation = view === undefined ? reach?.list : reach?.views.get(view);
      if (!operation) {
        const detail = view === undefined
          ? "Only views of this resource can be listed"
          : `There is no view "${shown(view)}" of this resource`;
        return refusedArguments(detail, views.map((name) => `view: "${name}"`));
      }
      const reserved = Object.keys(rest.filter ?? {}).find((name) =>
        (RESERVED_PARAMETERS as readonly string[]).includes(name) || name.startsWith("fields[")
      );
      if (reserved !== undefined) {
        return refusedArguments(`"${shown(reserved)}" is no field to filter by`, []);
      }
      const { id, method, path } = operation;
      return callOf({ endpoint: id, method, path, query: pageQuery(rest) });
    },
  )];
}

function pageQuery(
  args: z.output<z.ZodObject<typeof LIST_ARGUMENTS>> & {
    readonly deleted?: unknown;
    readonly near?: unknown;
  },
): readonly (readonly [string, string])[] {
  const filters = Object.entries(args.filter ?? {}).map(([name, value]) =>
    Array.isArray(value)
      ? [
        OPERATORS.some((one) => filterOperator(one).isList && name.endsWith(`.${one}`))
          ? name
          : `${name}.in`,
        listOf(value.map(String)),
      ] as const
      : [name, String(value)] as const
  );
  return [
    ...filters,
    ["limit", String(args.limit ?? LIMIT_DEFAULT)],
    ...given("where", args.where && exactJsonText(args.where)),
    ...given("search", args.search),
    ...(args.deleted === undefined ? [] : given("deleted", String(args.deleted))),
    ...(typeof args.near === "string"
      ? given("near.text", args.near)
      : args.near === undefined
      ? []
      : given("near", JSON.stringify(args.near))),
    ...given("sort", args.sort?.join(",")),
    ...given("fields", args.fields?.join(",")),
    ...given("include", args.include?.join(",")),
    ...given("starting_after", args.after),
    ...given("ending_before", args.before),
    ...(args.total ? given("total", "true") : []),
  ];
}

function given(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}

function getTool(resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const byName = new Map(resources.map(({ resource, records }) => [resource.name, records]));
  return [toolOf(
    {
      name: "get_record",
      title: "Read a record",
      description: "Reads one record by its id.",
      effects: READS,
    },
    {
      resource: resourceArgument(resources),
      id: idArgument(resources),
      fields: FIELDS,
      include: INCLUDE,
    },
    ({ resource, id, fields, include }) => {
      const operation = byName.get(resource)?.get("get");
      if (!operation) return refusedArguments(`"${resource}" cannot be read`, []);
      return callOf({
        endpoint: operation.id,
        method: operation.method,
        path: pathOf(operation.path, id),
        query: [...given("fields", fields?.join(",")), ...given("include", include?.join(","))],
      });
    },
  )];
}

function historyTool(resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const byName = new Map(resources.map(({ resource, records }) => [resource.name, records]));
  const { limit, after, before } = LIST_ARGUMENTS;
  return [toolOf(
    {
      name: "get_history",
      title: "Read a record's history",
      description:
        "Reads who changed one record, deleted or not, and from what to what; newest first.",
      effects: READS,
    },
    { resource: resourceArgument(resources), id: idArgument(resources), limit, after, before },
    ({ resource, id, ...page }) => {
      const operation = byName.get(resource)?.get("history");
      if (!operation) return refusedArguments(`"${resource}" keeps no history`, []);
      return callOf({
        endpoint: operation.id,
        method: operation.method,
        path: pathOf(operation.path, id),
        query: pageQuery(page),
      });
    },
  )];
}

/** Builds the tools that write records (contract 4.1): one for each verb, and one for each verb on many records. */
export function writeTools({ resources }: Reach): readonly Tool[] {
  const all = [...resources.values()];
  return [
    ...SINGLES.flatMap((single) => singleTool(single, reachedBy(all, single.kind))),
    ...BATCHES.flatMap((batch) => batchTool(batch, reachedBy(all, batch.kind))),
  ];
}

interface WriteTool extends ToolText {
  readonly kind: RecordKind;
}

const SINGLES: readonly WriteTool[] = [
  {
    kind: "create",
    name: "create_record",
    title: "Create a record",
    description: "Creates one record and answers it.",
    effects: ADDS,
  },
  {
    kind: "update",
    name: "update_record",
    title: "Change a record",
    description: "Changes the fields that are sent, of one record, and answers it.",
    effects: REPLACES,
  },
  {
    kind: "upsert",
    name: "replace_record",
    title: "Create or replace a record",
    description: "Writes the whole record under an id of your choice; fields left out are reset.",
    effects: REPLACES,
  },
  {
    kind: "delete",
    name: "delete_record",
    title: "Delete a record",
    description: "Deletes one record, and what belongs to it.",
    effects: REPLACES,
  },
  {
    kind: "restore",
    name: "restore_record",
    title: "Restore a record",
    description:
      "Brings one deleted record back, and what was deleted with it; list_records finds such records with `deleted`.",
    effects: ADDS,
  },
];

const BATCHES: readonly WriteTool[] = [
  {
    kind: "batchCreate",
    name: "create_records",
    title: "Create several records",
    description: "Creates several records of one resource; answers which succeeded.",
    effects: ADDS,
  },
  {
    kind: "batchUpdate",
    name: "update_records",
    title: "Change several records",
    description: "Changes several records, each named by its id; answers which succeeded.",
    effects: REPLACES,
  },
  {
    kind: "batchUpsert",
    name: "replace_records",
    title: "Create or replace several records",
    description: "Writes several whole records, each under its id; answers which succeeded.",
    effects: REPLACES,
  },
  {
    kind: "batchDelete",
    name: "delete_records",
    title: "Delete several records",
    description: "Deletes several records by their ids; answers which succeeded.",
    effects: REPLACES,
  },
];

const DATA = z.record(z.string(), z.unknown())
  .describe("Its fields; `describe_resource` tells which may be written.");

function singleTool(tool: WriteTool, resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const resource = resourceArgument(resources);
  const id = idArgument(resources);
  const mean = (
    args: WriteArguments & {
      readonly resource: string;
      readonly id?: RecordId;
      readonly data?: JsonObject | undefined;
    },
  ) => {
    const operation = operationOf(args.resource, tool, resources);
    if (!operation) return refusedArguments(`"${args.resource}" cannot be written so`, []);
    const { id, method, path, action } = operation;
    // An action that replaces a verb takes an input, also where the verb has no body.
    const takesData = tool.kind !== "restore" && method !== "DELETE" || action !== null;
    return callOf({
      endpoint: id,
      method,
      path: args.id === undefined ? path : pathOf(path, args.id),
      body: takesData ? args.data ?? {} : null,
      ...writeOptions(args, operation),
    });
  };
  const existing = { ifMatch: IF_MATCH, ...WRITE_ARGUMENTS };
  switch (tool.kind) {
    case "create":
      return [toolOf(tool, { resource, data: DATA, ...WRITE_ARGUMENTS }, mean)];
    case "restore":
      return [toolOf(tool, { resource, id, ...existing }, mean)];
    case "delete":
      // Only an action that replaces the verb takes an input.
      return resources.some(({ records }) => records.get("delete")?.action)
        ? [toolOf(tool, { resource, id, data: DATA.optional(), ...existing }, mean)]
        : [toolOf(tool, { resource, id, ...existing }, mean)];
    default:
      return [toolOf(tool, { resource, id, data: DATA, ...existing }, mean)];
  }
}

function operationOf(
  resource: string,
  { kind }: WriteTool,
  resources: readonly ResourceReach[],
): RecordOperation | undefined {
  return resources.find((reach) => reach.resource.name === resource)?.records.get(kind);
}

const FAIL_FAST = z.boolean().optional().describe("Stop at the first record that fails.");

function batchTool(tool: WriteTool, resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const common = {
    resource: resourceArgument(resources),
    failFast: FAIL_FAST,
    ...WRITE_ARGUMENTS,
  };
  const mean = (
    args: WriteArguments & {
      readonly resource: string;
      readonly records?: readonly JsonObject[];
      readonly ids?: readonly RecordId[];
      readonly failFast?: boolean | undefined;
    },
  ) => {
    const { resource, records, ids, failFast, ...write } = args;
    const operation = operationOf(args.resource, tool, resources);
    if (!operation) return refusedArguments(`"${resource}" cannot be written so`, []);
    const { id, method, path } = operation;
    const body = {
      ...(records === undefined ? {} : { records }),
      ...(ids === undefined ? {} : { ids }),
      ...(failFast === undefined ? {} : { options: { failFast } }),
    };
    return callOf({ endpoint: id, method, path, body, ...writeOptions(write, operation) });
  };
  const many = `At most ${BATCH_SIZE_DEFAULT}, unless the resource says otherwise.`;
  if (tool.kind === "batchDelete") {
    const ids = z.array(idArgument(resources)).min(1).describe(many);
    return [toolOf(tool, { ...common, ids }, mean)];
  }
  const records = z.array(DATA).min(1).describe(many);
  return [toolOf(tool, { ...common, records }, mean)];
}
