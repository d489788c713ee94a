/** Lists a project's resources with realtime, for the runtime and the descriptions (contract 6.3, definitions 4). */
import { CONTRACT_VERSIONS } from "../contract/mod.ts";
import type { ProjectModel, ReadModel, ResourceModel, RowPredicate } from "../model/mod.ts";
import type { ResourceRealtime, TableModel } from "../model/mod.ts";
import { authenticationCodes } from "./codes.ts";
import { resourceBucket } from "./rate_buckets.ts";
import { accessColumns, accessPredicates, columnsAsked } from "./row_predicate.ts";
import { firewallColumns, followsRelations } from "./row_predicate.ts";
import { emptyAnswer, ok, systemRoute } from "./system_route.ts";
import { tableOf } from "./tables.ts";

/** A resource whose changes make frames. */
export interface RealtimeResource {
  readonly resource: ResourceModel;
  readonly table: TableModel;
  readonly read: ReadModel;
  readonly realtime: ResourceRealtime;
  /** Columns that a change's frames need: those that are shown, and those that decide who receives it. */
  readonly columns: readonly string[];
  /** Rules that follow relations. A change of the rows to which they lead may change who sees this one. */
  readonly predicates: readonly RowPredicate[];
}

/** Returns the resources; none if the project's `realtime` is off. */
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
      ...firewallColumns(table.firewall),
      ...accessColumns(read.access),
      ...Object.values(resource.masks).flatMap(({ showRows }) =>
        showRows ? columnsAsked(showRows) : []
      ),
    ]);
    const columns = table.columns.map(({ name }) => name).filter((name) => needed.has(name));
    const predicates = [
      ...table.firewall.flatMap((one) => one.kind === "rule" ? [one.predicate] : []),
      ...accessPredicates(read.access),
      ...Object.values(resource.masks).flatMap(({ showRows }) => showRows ? [showRows] : []),
    ].filter(followsRelations);
    return [{ resource, table, read, realtime, columns, predicates }];
  });
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
  /** First frame of a WebSocket, with the position at which the stream begins. */
  open: "open",
  /** Frame after a loss: frames were missed, so the client must read its data again. */
  resync: "resync",
  /** Last frame, with the reason why the stream ends. */
  closing: "closing",
} as const;

/** Reasons for which a stream ends, with the close code of a WebSocket. */
export const CLOSING_REASONS = {
  /** The credentials have expired, were revoked, or now belong to another caller. */
  credentials: 4001,
  /** The subscriber reads frames more slowly than they arrive. */
  slow: 4002,
  shutdown: 4003,
  /** The subscriber sent a message, though it may only listen. */
  message: 4004,
} as const;
export type ClosingReason = keyof typeof CLOSING_REASONS;

/** Path of the stream of frames, which is an endpoint of the API (definitions 7, "realtime"). */
export function eventsPath({ contract }: ProjectModel): string {
  return `${CONTRACT_VERSIONS[contract].broadcastBase}/events`;
}

/** Returns every name that a subscriber may request: resources, and signals as `<binding>.<variant>`. */
export function broadcastNames(project: ProjectModel): readonly string[] {
  return [
    ...realtimeResourcesOf(project).map(({ resource }) => resource.name),
    ...project.realtime.signals.map(({ name }) => name),
  ];
}

export const EVENTS_PARAMETERS = { resources: "resources", lastEventId: "lastEventId" } as const;
export const LAST_EVENT_ID = "last-event-id";

/** Returns the routes of the stream; none if the project's `realtime` is off. */
export function realtimeOperationsOf(project: ProjectModel) {
  if (!project.realtime.enabled) return [];
  const names = broadcastNames(project);
  return [systemRoute({
    id: "serviceEvents",
    method: "GET",
    path: eventsPath(project),
    summary: "Listen to changes and signals",
    description:
      "Server-Sent Events, or a WebSocket where the request asks to become one. Each subscriber is shown what their own reads would show; `asyncapi.json` describes the frames.",
    who: "caller",
    rateGate: {
      limit: project.rateLimits.read,
      bucketOf: (caller) => resourceBucket("broadcast", "read", caller),
    },
    parameters: [
      {
        name: EVENTS_PARAMETERS.resources,
        in: "query",
        description: `Comma-separated names of resources and signals; without it, all of them.${
          names.length > 0 ? ` One of: ${names.map((name) => `\`${name}\``).join(", ")}.` : ""
        }`,
        schema: { type: "string" },
      },
      {
        name: EVENTS_PARAMETERS.lastEventId,
        in: "query",
        description:
          "The event after which to go on, for clients that cannot send the header `Last-Event-ID`.",
        schema: { type: "string", pattern: "^\\d{1,15}-\\d{1,20}$" },
      },
      {
        name: "Last-Event-ID",
        in: "header",
        description:
          `The event after which to go on. Where events since then are gone, a frame of type \`${FRAME_TYPES.resync}\` says so.`,
        schema: { type: "string", pattern: "^\\d{1,15}-\\d{1,20}$" },
      },
    ],
    answers: {
      ...ok(
        { type: "string", description: "A stream of frames; see `asyncapi.json`." },
        'id: 1767323045678-0\ndata: {"type":"invalidate","resource":"board.changed","data":{},"at":"2026-01-02T03:04:05.678Z"}\n\n',
        { mediaType: "text/event-stream" },
      ),
      101: emptyAnswer("The connection is a WebSocket now.", null),
    },
    codes: [
      ...authenticationCodes(project, { method: "GET", isRequired: true }),
      "ORIGIN_FORBIDDEN",
      "VALIDATION_INVALID_INPUT",
      "REALTIME_UNAVAILABLE",
    ],
  })];
}
