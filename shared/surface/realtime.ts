/** Realtime resources of a project: the one list behind the runtime and the descriptions (contract 6.3, definitions 4). */
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
  /** Columns that telling of a change needs: what is shown, and what decides to whom. */
  readonly columns: readonly string[];
  /** Rules that follow relations: what becomes of the rows that they lead to changes who sees this one. */
  readonly predicates: readonly RowPredicate[];
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

/** Path of the stream of frames, which is an endpoint of the API (definitions 7, "realtime"). */
export function eventsPath({ contract }: ProjectModel): string {
  return `${CONTRACT_VERSIONS[contract].broadcastBase}/events`;
}

/** Every name that a subscriber may ask for: resources, and signals as `<binding>.<variant>`. */
export function broadcastNames(project: ProjectModel): readonly string[] {
  return [
    ...realtimeResourcesOf(project).map(({ resource }) => resource.name),
    ...project.realtime.signals.map(({ name }) => name),
  ];
}

export const EVENTS_PARAMETERS = { resources: "resources", lastEventId: "lastEventId" } as const;
export const LAST_EVENT_ID = "last-event-id";

/** None where the project's `realtime` is off. */
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
