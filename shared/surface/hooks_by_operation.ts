/**
 * Maps every operation to the author's hooks around its writes, for descriptions of operations (definitions 6, hooks of
 * records).
 */
import type { ProjectModel, RecordHooksModel } from "../model/mod.ts";
import { actionOperationsOf } from "./action_operations.ts";
import { type FileAct, fileOperationsOf } from "./file_operations.ts";
import { operationsOf } from "./operations.ts";
import { hooksAround, updateHooks } from "./record_hooks.ts";

/** Operations on files that change their record. */
export const FILE_WRITES: ReadonlySet<FileAct> = new Set(["writeFile", "addFile", "removeFile"]);

/** Returns the hooks that run around each operation, by its id; operations without any are left out. */
export function hooksByOperation(project: ProjectModel): ReadonlyMap<string, RecordHooksModel> {
  if (project.authored.recordHooks === undefined) return new Map();
  const all: readonly (readonly [string, RecordHooksModel | null])[] = [
    ...operationsOf(project).map((one) => [one.id, hooksAround(one, project)] as const),
    ...fileOperationsOf(project).map(({ id, act, resource }) =>
      [id, FILE_WRITES.has(act) ? updateHooks(resource.table, project) : null] as const
    ),
    // A transition without a handler is an update by the service.
    ...actionOperationsOf(project).map(({ id, action: { transition, table } }) =>
      [id, transition && updateHooks(table ?? undefined, project)] as const
    ),
  ];
  return new Map(all.flatMap(([id, hooks]) => hooks === null ? [] : [[id, hooks]]));
}
