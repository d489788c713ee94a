/**
 * Tools that run actions (contract 4.4): one for each while they are few, because a schema of its own is what makes a
 * model call it right; one for all of them beyond, because a long list is what makes it choose wrong.
 */
import type { ActionOperation } from "../../surface/action_operations.ts";
import { snakeCase } from "../../surface/names.ts";
import { DESCRIBE_ACTION, describeActionTool } from "./describe_tools.ts";
import { ownActionTool } from "./own_action_tool.ts";
import type { Reach } from "./reach.ts";
import {
  RUN_ACTION,
  RUN_BULK_ACTION,
  runActionTool,
  runBulkActionTool,
} from "./shared_action_tools.ts";
import type { Tool } from "./tool.ts";

/** Actions with a tool of their own; the record tools come on top. */
const OWN_TOOLS_MAX = 20;

/** Bound on a tool's name that the makers of models accept. */
const NAME_MAX_LENGTH = 64;

/** `taken`: names of the tools that are there. */
export function actionTools(reach: Reach, taken: readonly string[]): readonly Tool[] {
  const { actions, bulkActions } = reach;
  const own = actions.length > OWN_TOOLS_MAX ? new Map() : ownNames(actions, taken);
  const others = actions.filter((operation) => !own.has(operation));
  return [
    ...[...own].map(([operation, name]) => ownActionTool(name, operation)),
    ...(others.length === 0 ? [] : [runActionTool(others)]),
    ...runBulkActionTool(reach),
    ...describeTool([...bulkActions, ...others]),
  ];
}

/** An action and its bulk variant take the same input. */
function describeTool(operations: readonly ActionOperation[]): readonly Tool[] {
  const byKey = new Map(operations.map((operation) => [operation.action.key, operation]));
  return byKey.size === 0 ? [] : [describeActionTool([...byKey.values()])];
}

/** Those that have a name of their own. */
function ownNames(
  operations: readonly ActionOperation[],
  taken: readonly string[],
): ReadonlyMap<ActionOperation, string> {
  const names = new Set([...taken, RUN_ACTION, RUN_BULK_ACTION, DESCRIBE_ACTION]);
  const own = new Map<ActionOperation, string>();
  for (const operation of operations) {
    const name = [nameOf(operation), snakeCase(operation.id)]
      .find((one) => !names.has(one) && one.length <= NAME_MAX_LENGTH);
    if (name === undefined) continue;
    names.add(name);
    own.set(operation, name);
  }
  return own;
}

/** `tickets_resolve` for an action of a record, `weekly_report` for one of none. */
function nameOf({ action, resource }: ActionOperation): string {
  const name = snakeCase(action.name);
  return action.kind === "record" && resource ? `${snakeCase(resource.name)}_${name}` : name;
}
