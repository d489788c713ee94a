/** Realtime resources of a project: the one list behind the runtime and the descriptions (contract 6.3, definitions 4). */
import type { Access } from "../model/access.ts";
import type { ProjectModel } from "../model/project.ts";
import type { ResourceRealtime } from "../model/realtime.ts";
import type { ReadModel, ResourceModel } from "../model/resource.ts";
import type { TableModel } from "../model/table.ts";
import { tableOf } from "./tables.ts";

/** A resource whose changes make frames. */
export interface RealtimeResource {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  readonly read: ReadModel;
  readonly realtime: ResourceRealtime;
  /** Columns that telling of a change needs: what is shown, and what decides to whom. */
  readonly columns: readonly string[];
}

/** None where the project's `realtime` is off. */
export function realtimeResourcesOf(project: ProjectModel): readonly RealtimeResource[] {
  if (!project.realtime.enabled) return [];
  return project.resources.flatMap((resource): RealtimeResource[] => {
    const { realtime, read } = resource;
    if (realtime === null || read === null) return [];
    const table = tableOf(resource, project);
    const needed = new Set([
      table.primaryKey,
      table.ownerColumn,
      ...realtime.fields,
      ...table.firewall.map(({ column }) => column),
      ...columnsOf(read.access),
    ]);
    const columns = table.columns.map(({ name }) => name).filter((name) => needed.has(name));
    return [{ resource, table, read, realtime, columns }];
  });
}

function columnsOf(access: Access): readonly string[] {
  switch (access.kind) {
    case "record":
      return access.conditions.map(({ column }) => column);
    case "all":
    case "any":
      return access.of.flatMap(columnsOf);
    default:
      return [];
  }
}

/** True when changes of this kind make frames. */
export function makesFrames(
  change: "insert" | "update" | "delete",
  { onInsert, onUpdate, onDelete }: ResourceRealtime,
): boolean {
  return { insert: onInsert, update: onUpdate, delete: onDelete }[change];
}

/** Types of frames (definitions 7, "realtime"). */
export const FRAME_TYPES = {
  insert: "record.created",
  update: "record.updated",
  delete: "record.deleted",
  signal: "invalidate",
  /** Over WebSockets, the first one: where the stream begins. */
  open: "open",
  /** Frames were missed: what is shown is to be read again. */
  resync: "resync",
  /** The last one: why the stream ends. */
  closing: "closing",
} as const;

/** Reasons for which a stream ends, with the close code of a WebSocket. */
export const CLOSING_REASONS = {
  /** The credentials have expired, were taken back, or are another caller's by now. */
  credentials: 4001,
  /** The subscriber takes frames more slowly than they come. */
  slow: 4002,
  shutdown: 4003,
  /** A subscriber only listens. */
  message: 4004,
} as const;
export type ClosingReason = keyof typeof CLOSING_REASONS;
