/**
 * `GET {broadcastBase}/events` (definitions 7, "realtime"): Server-Sent Events, or a WebSocket on the same path. Refuses with
 * `VALIDATION_INVALID_INPUT` and `REALTIME_UNAVAILABLE`.
 */
import { actorOf } from "../../model/principal.ts";
import type { ProjectModel } from "../../model/project.ts";
import { callerKey, resourceBucket } from "../../surface/rate_buckets.ts";
import {
  broadcastNames,
  EVENTS_PARAMETERS,
  eventsPath,
  LAST_EVENT_ID,
  realtimeOperationsOf,
} from "../../surface/realtime.ts";
import { operationAt } from "../../surface/service_operation.ts";
import type { RequestContext } from "../context.ts";
import type { RealtimePorts } from "../ports.ts";
import { refuse } from "../refusal.ts";
import { asksForWebSocket } from "../request/headers.ts";
import { type Endpoint, serviceGate } from "../gate.ts";
import { isEventId } from "../../lib/event_ids.ts";
import { EVENT_STREAM, eventStream } from "./event_stream.ts";
import type { Hub } from "./hub.ts";
import { feedSocket } from "./socket.ts";

export function eventsEndpoint(
  project: ProjectModel,
  { hub, realtime }: { readonly hub: Hub; readonly realtime: RealtimePorts },
): Endpoint {
  const names = broadcastNames(project);
  const path = eventsPath(project);
  const rate = {
    limit: project.rateLimits.read,
    bucketOf: (caller: string) => resourceBucket("broadcast", "read", caller),
  };
  return {
    id: "serviceEvents",
    method: "GET",
    path,
    gate: { ...serviceGate(operationAt(path, realtimeOperationsOf(project))), rate },
    async handle(request) {
      const asked = readQuery(request, names);
      // Not null, which has a length.
      if (request.method === "HEAD") return streamResponse(new Blob().stream());
      const upgrade = asksForWebSocket(request.headers) ? request.upgrade : undefined;
      if (upgrade === null) refuse("REALTIME_UNAVAILABLE", { detail: "No WebSockets here" });
      const caller = callerKey(actorOf(request.principal), request.clientIp);
      const { subscription: { buffer }, leave } = await hub.join({
        request,
        caller,
        ...asked,
      });
      if (!upgrade) {
        const closingText = hub.closingText;
        return streamResponse(eventStream(buffer, { closingText, onGone: leave }));
      }
      const { socket, response } = upgraded(upgrade, leave);
      feedSocket(socket, buffer, { timer: realtime.timer, onGone: leave });
      return response;
    },
  };
}

/** A handshake that the platform refuses takes no place. */
function upgraded(upgrade: NonNullable<RequestContext["upgrade"]>, leave: () => void) {
  try {
    return upgrade();
  } catch {
    leave();
    return refuse("VALIDATION_INVALID_INPUT", { detail: "This is no WebSocket handshake" });
  }
}

function streamResponse(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Response {
  // A proxy that gathers answers would hold the frames back.
  return new Response(stream, {
    headers: { "content-type": EVENT_STREAM, "x-accel-buffering": "no" },
  });
}

interface EventsQuery {
  readonly wanted: ReadonlySet<string> | null;
  readonly lastEventId: string | null;
}

const KNOWN: readonly string[] = Object.values(EVENTS_PARAMETERS);

function readQuery({ search, headers }: RequestContext, names: readonly string[]): EventsQuery {
  const parameters = new URLSearchParams(search);
  for (const name of parameters.keys()) {
    if (!KNOWN.includes(name)) refuseQuery(`Unknown parameter "${name.slice(0, 64)}"`);
    if (parameters.getAll(name).length > 1) {
      refuseQuery(`Parameter "${name}" is given more than once`);
    }
  }
  const lastEventId = headers.get(LAST_EVENT_ID) ?? parameters.get(EVENTS_PARAMETERS.lastEventId);
  if (lastEventId !== null && !isEventId(lastEventId)) {
    refuseQuery("The last event's id must be one that a frame carried");
  }
  return { wanted: readNames(parameters.get(EVENTS_PARAMETERS.resources), names), lastEventId };
}

function readNames(text: string | null, names: readonly string[]): ReadonlySet<string> | null {
  if (text === null) return null;
  const wanted = text.split(",").map((name) => name.trim());
  const unknown = wanted.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    refuseQuery(`Nothing realtime is called "${unknown.slice(0, 64)}"`);
  }
  return new Set(wanted);
}

function refuseQuery(detail: string): never {
  return refuse("VALIDATION_INVALID_INPUT", { detail });
}
