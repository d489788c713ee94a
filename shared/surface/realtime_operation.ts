/** `GET /broadcast/v1/events`: the stream of frames as an endpoint of the API (definitions 7, "realtime"). */
import { CONTRACT_VERSIONS } from "../contract/versions.ts";
import type { ProjectModel } from "../model/project.ts";
import { authenticationCodes } from "./authentication_codes.ts";
import { FRAME_TYPES, realtimeResourcesOf } from "./realtime.ts";
import { type ServiceOperation, serviceOperation } from "./service_operation.ts";

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
export function realtimeOperationsOf(project: ProjectModel): readonly ServiceOperation[] {
  if (!project.realtime.enabled) return [];
  const names = broadcastNames(project);
  return [serviceOperation({
    id: "serviceEvents",
    method: "GET",
    path: eventsPath(project),
    summary: "Listen to changes and signals",
    description:
      "Server-Sent Events, or a WebSocket where the request asks to become one. Each subscriber is shown what their own reads would show; `asyncapi.json` describes the frames.",
    who: "caller",
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
    upgrades: true,
    mediaType: "text/event-stream",
    success: { type: "string", description: "A stream of frames; see `asyncapi.json`." },
    example:
      'id: 1767323045678-0\ndata: {"type":"invalidate","resource":"board.changed","data":{},"at":"2026-01-02T03:04:05.678Z"}\n\n',
    codes: [
      ...authenticationCodes(project, { method: "GET", isRequired: true }),
      "ORIGIN_FORBIDDEN",
      "VALIDATION_INVALID_INPUT",
      "REALTIME_UNAVAILABLE",
    ],
  })];
}
