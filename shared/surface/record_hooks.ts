/** Finds the author's hooks around the writes of operations (definitions 6, hooks of records). */
import type { RuntimeCode } from "../contract/mod.ts";
import type { ProjectModel, RecordHookName, RecordHooksModel } from "../model/mod.ts";
import { RECORD_CODES } from "./codes.ts";
import { type Operation, type Verb, VERBS } from "./operations.ts";

/** Kinds of writes that have hooks. */
type WriteKind = "create" | "update" | "delete";

const KINDS: Readonly<Record<Verb, readonly WriteKind[]>> = {
  read: [],
  history: [],
  create: ["create"],
  update: ["update"],
  upsert: ["create", "update"],
  delete: ["delete"],
  restore: ["update"],
};

const HOOKS_OF: Readonly<Record<WriteKind, readonly RecordHookName[]>> = {
  create: ["beforeCreate", "afterCreate"],
  update: ["beforeUpdate", "afterUpdate"],
  delete: ["beforeDelete", "afterDelete"],
};

/** Returns the hooks that run around an operation, in their order; null if there are none. */
export function hooksAround(
  { kind, resource }: Pick<Operation, "kind" | "resource">,
  project: Pick<ProjectModel, "authored">,
): RecordHooksModel | null {
  return hooksFor(resource.table, KINDS[VERBS[kind]], project);
}

/** Returns the hooks that run when an action or a file changes a record; null if there are none. */
export function updateHooks(
  table: string | undefined,
  project: Pick<ProjectModel, "authored">,
): RecordHooksModel | null {
  return hooksFor(table, ["update"], project);
}

function hooksFor(
  table: string | undefined,
  kinds: readonly WriteKind[],
  { authored: { recordHooks = [] } }: Pick<ProjectModel, "authored">,
): RecordHooksModel | null {
  const own = recordHooks.find((one) => one.table === table);
  const names = kinds.flatMap((kind) => HOOKS_OF[kind]);
  const hooks = own?.hooks.filter((name) => names.includes(name)) ?? [];
  return own === undefined || hooks.length === 0 ? null : { ...own, hooks };
}

/** Returns the codes with which the service refuses the acts of hooks. A hook's own refusals have the author's codes. */
export function hookCodes(
  hooks: RecordHooksModel | null,
  { webhooks, realtime }: Pick<ProjectModel, "webhooks" | "realtime">,
): readonly RuntimeCode[] {
  if (hooks === null) return [];
  const reachesScopes = webhooks.outbound || realtime.push;
  return [
    "VALIDATION_ERROR",
    "QUOTA_EXCEEDED",
    "DB_UNIQUE_VIOLATION",
    "ACTION_EXECUTION_FAILED",
    "ACTION_TIMEOUT",
    ...(reachesScopes
      ? ["FIREWALL_ORG_ISOLATION" as const, "FIREWALL_USER_ISOLATION" as const]
      : []),
    ...(hooks.writesRecords ? RECORD_CODES : []),
  ];
}
