/** Tools that run any of several actions: `run_action` beyond the few with tools of their own, and `run_bulk_action`. */
import { z } from "zod";
import type { ActionOperation } from "../../surface/action_operations.ts";
import { meanAction, parametersIn } from "./action_call.ts";
import { effectsOf, isStream } from "./own_action_tool.ts";
import type { Reach } from "./reach.ts";
import { idArgument, WRITE_ARGUMENTS, writeOptions } from "./record_arguments.ts";
import { callOf, DOES_ANYTHING, refusedArguments, type Tool, toolOf } from "./tool.ts";

export const RUN_ACTION = "run_action";
export const RUN_BULK_ACTION = "run_bulk_action";

const INPUT = z.record(z.string(), z.unknown()).optional()
  .describe("What the action takes; `describe_action` tells it.");

const PARAMETERS = z.record(z.string(), z.union([z.string().min(1), z.int()])).optional()
  .describe('Of the path: `{ "id": … }` for an action of one record.');

function keyArgument(operations: readonly ActionOperation[]) {
  return z.enum(operations.map(({ action }) => action.key))
    .describe(operations.map(({ action }) => `${action.key}: ${action.description}`).join("\n"));
}

function named(key: string, operations: readonly ActionOperation[]): ActionOperation | undefined {
  return operations.find(({ action }) => action.key === key);
}

export function runActionTool(operations: readonly ActionOperation[]): Tool {
  const [first] = operations;
  const isReading = operations.every(({ method }) => method === "GET");
  return toolOf(
    {
      name: RUN_ACTION,
      title: "Run an action",
      description: "Runs one of the API's own operations, of one record or of none.",
      effects: first && isReading ? effectsOf(first) : DOES_ANYTHING,
      isStreaming: operations.some(isStream),
    },
    { action: keyArgument(operations), parameters: PARAMETERS, input: INPUT, ...WRITE_ARGUMENTS },
    ({ action, parameters = {}, input = {}, ...write }) => {
      const operation = named(action, operations);
      if (!operation) return refusedArguments(`There is no action "${action}"`, []);
      const known = parametersIn(operation);
      const unknown = Object.keys(parameters).find((name) => !known.includes(name));
      if (unknown !== undefined) return refusedArguments("There is no such parameter", known);
      const texts = Object.entries(parameters).map(([name, value]) =>
        [name, String(value)] as const
      );
      return meanAction(operation, { parameters: new Map(texts), input, ...write });
    },
  );
}

/** None where no action runs on several records. */
export function runBulkActionTool({ bulkActions, resources }: Reach): readonly Tool[] {
  if (bulkActions.length === 0) return [];
  return [toolOf(
    {
      name: RUN_BULK_ACTION,
      title: "Run an action on several records",
      description:
        "Runs an action on each of several records with the same input; answers which succeeded.",
      effects: DOES_ANYTHING,
    },
    {
      action: keyArgument(bulkActions),
      ids: z.array(idArgument([...resources.values()])).min(1),
      input: INPUT,
      failFast: z.boolean().optional().describe("Stop at the first record that fails."),
      idempotencyKey: WRITE_ARGUMENTS.idempotencyKey,
    },
    ({ action, ids, input = {}, failFast, idempotencyKey }) => {
      const operation = named(action, bulkActions);
      if (!operation) return refusedArguments(`There is no action "${action}"`, []);
      const { id, method, path } = operation;
      const options = failFast === undefined ? {} : { options: { failFast } };
      const { headers } = writeOptions({ idempotencyKey }, { action: operation });
      return callOf({ endpoint: id, method, path, headers, body: { ids, input, ...options } });
    },
  )];
}
