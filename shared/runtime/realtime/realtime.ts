/** Realtime of one application: publication of its database's changes, and its subscribers (contract 6.3). */
import type { ProjectModel } from "../../model/project.ts";
import type { RealtimeCode } from "../../surface/authored_code.ts";
import type { Database, Ports } from "../ports.ts";
import type { Endpoint } from "../gate.ts";
import { eventsEndpoint } from "./events_endpoint.ts";
import { createHub } from "./hub.ts";
import { createPublisher, watchingDatabase } from "./publisher.ts";

interface Realtime {
  /** The same database, whose committed changes are published. */
  readonly database: Database;
  readonly endpoints: readonly Endpoint[];
  /** Ends all streams, so that a server can end. */
  end(): void;
  /** Ends the streams of callers in it. */
  endOrganization(organizationId: string): void;
}

/** Without it nothing is watched and nothing is mounted. Throws when the host brings no ports for it. */
export function createRealtime(
  project: ProjectModel,
  ports: Ports,
  code: RealtimeCode | null,
): Realtime {
  const { realtime } = ports;
  if (!project.realtime.enabled) {
    return { database: ports.database, endpoints: [], end: () => {}, endOrganization: () => {} };
  }
  if (!realtime) {
    throw new Error("Cannot start: the project has realtime, and the host no ports for it");
  }
  const publisher = createPublisher(project, { ports, realtime, code });
  const hub = createHub(project, { ports, realtime });
  return {
    database: watchingDatabase(ports.database, publisher),
    endpoints: [eventsEndpoint(project, { hub, realtime })],
    end: () => hub.end(),
    endOrganization: (organizationId) => hub.endOrganization(organizationId),
  };
}
