/** Tools that write records (contract 4.1): one for each verb, and one for each verb on many records. */
import { z } from "zod";
import { BATCH_SIZE_DEFAULT } from "../../contract/limits.ts";
import type { JsonObject } from "../../lib/json.ts";
import type { Reach, RecordKind, RecordOperation, ResourceReach } from "./reach.ts";
import {
  ADDS,
  callOf,
  idArgument,
  IF_MATCH,
  pathOf,
  reachedBy,
  type RecordId,
  refusedArguments,
  REPLACES,
  resourceArgument,
  type Tool,
  toolOf,
  type ToolText,
  WRITE_ARGUMENTS,
  type WriteArguments,
  writeOptions,
} from "./tool.ts";

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

interface SingleArguments extends WriteArguments {
  readonly resource: string;
  readonly id?: RecordId;
  readonly data?: JsonObject | undefined;
}

function singleTool(tool: WriteTool, resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const resource = resourceArgument(resources);
  const id = idArgument(resources);
  const mean = (args: SingleArguments) => {
    const operation = operationOf(args, tool, resources);
    if (!operation) return refusedArguments(`"${args.resource}" cannot be written so`, []);
    const { id, method, path, action } = operation;
    // An action that stands for a verb takes an input, also where the verb has no body.
    const takesData = method !== "DELETE" || action !== null;
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
    case "delete":
      // Only an action that stands for the verb takes anything.
      return resources.some(({ records }) => records.get("delete")?.action)
        ? [toolOf(tool, { resource, id, data: DATA.optional(), ...existing }, mean)]
        : [toolOf(tool, { resource, id, ...existing }, mean)];
    default:
      return [toolOf(tool, { resource, id, data: DATA, ...existing }, mean)];
  }
}

function operationOf(
  { resource }: { readonly resource: string },
  { kind }: WriteTool,
  resources: readonly ResourceReach[],
): RecordOperation | undefined {
  return resources.find((reach) => reach.resource.name === resource)?.records.get(kind);
}

const FAIL_FAST = z.boolean().optional().describe("Stop at the first record that fails.");

interface BatchArguments extends WriteArguments {
  readonly resource: string;
  readonly records?: readonly JsonObject[];
  readonly ids?: readonly RecordId[];
  readonly failFast?: boolean | undefined;
}

function batchTool(tool: WriteTool, resources: readonly ResourceReach[]): readonly Tool[] {
  if (resources.length === 0) return [];
  const common = {
    resource: resourceArgument(resources),
    failFast: FAIL_FAST,
    ...WRITE_ARGUMENTS,
  };
  const mean = (args: BatchArguments) => {
    const { resource, records, ids, failFast, ...write } = args;
    const operation = operationOf(args, tool, resources);
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
