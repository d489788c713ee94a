/** Manages all subscribers of one instance (contract 6.3): admits them, sends them their frames, and ends their streams. */
import { STREAMS_MAX, STREAMS_PER_CALLER_MAX } from "../../contract/mod.ts";
import type { ProjectModel } from "../../model/mod.ts";
import { FRAME_TYPES, type RealtimeCode, realtimeResourcesOf } from "../../surface/mod.ts";
import type { Database, Ports, RealtimePorts } from "../ports.ts";
import { Refusal, refuse } from "../refusal.ts";
import type { Handlers } from "../route_endpoints.ts";
import { eventsHandlers } from "./events_endpoint.ts";
import { createPublisher, watchingDatabase } from "./publisher.ts";
import { Hub, JoinRequest, Stream } from "./stream_hub.ts";
import { readEvent, type RealtimeCatalog, Subscription } from "./viewer.ts";

interface HubOptions {
  readonly ports: Pick<Ports, "clock" | "logger">;
  readonly realtime: RealtimePorts;
}

/** Milliseconds between two heartbeats, well below the minute after which proxies give up. */
const BEAT_MS = 15_000;

function createHub(project: ProjectModel, { ports, realtime }: HubOptions): Hub {
  const catalog: RealtimeCatalog = {
    resources: realtimeResourcesOf(project),
    signals: project.realtime.signals,
  };
  const members = new Members();
  // The start runs once; after a failure the next call tries again.
  const run = () => listen(members, { ports, realtime });
  let running: Promise<unknown> | null = null;
  const listening = () => {
    running ??= run().catch((error: unknown) => {
      running = null;
      throw error;
    });
    return running;
  };
  const now = () => new Date(ports.clock.now()).toISOString();
  return {
    async join(joining) {
      if (!members.admits(joining.caller)) refuse("RATE_LIMITED");
      if (members.isFull) refuse("REALTIME_UNAVAILABLE");
      const subscription = new Subscription({
        principal: joining.request.principal,
        wanted: joining.wanted,
        ...realtime,
        catalog,
        logger: ports.logger,
        now,
      });
      members.add(subscription, joining.caller);
      const stream = { subscription, leave: () => members.remove(subscription) };
      try {
        subscription.buffer.onClosed(await joining.request.watchRights(subscription));
        await listening();
      } catch (error) {
        stream.leave();
        throw new Refusal("REALTIME_UNAVAILABLE", { cause: error });
      }
      void begin(stream, joining, ports);
      keepAlive(subscription, realtime);
      return stream;
    },
    closingText: (reason) => JSON.stringify({ type: FRAME_TYPES.closing, reason, at: now() }),
    end: () => members.end(),
    endOrganization(organizationId) {
      for (const { principal, buffer } of members) {
        if (principal.organizationId === organizationId) buffer.close("credentials");
      }
    },
  };
}

async function begin(
  { subscription }: Stream,
  { lastEventId }: JoinRequest,
  { logger }: Pick<Ports, "logger">,
): Promise<void> {
  try {
    await subscription.begin(lastEventId);
  } catch (error) {
    // Where the log cannot be read, the subscriber has to reconnect.
    logger.log({ level: "error", message: "A stream could not begin", error });
    subscription.buffer.close("shutdown");
  }
}

async function listen(members: Members, { ports, realtime }: HubOptions): Promise<void> {
  const stop = await realtime.pubSub.listen({
    event(event) {
      const read = readEvent(event, ports.logger);
      if (read) { for (const subscription of members) subscription.offer(read); }
    },
    gap() {
      for (const subscription of members) subscription.resync(null);
    },
  });
  members.onEnd(stop);
}

/** Sends a heartbeat when no frame is sent. */
function keepAlive({ buffer }: Subscription, { timer }: Pick<RealtimePorts, "timer">): void {
  const beat = () => {
    if (buffer.closed !== null) return;
    if (buffer.isIdle) buffer.push({ kind: "beat" });
    timer.after(BEAT_MS, beat);
  };
  timer.after(BEAT_MS, beat);
}

/** The present subscribers, counted by caller. */
class Members {
  readonly #callers = new Map<Subscription, string>();
  readonly #counts = new Map<string, number>();
  #hasEnded = false;
  #stop: (() => void) | null = null;

  get isFull(): boolean {
    return this.#hasEnded || this.#callers.size >= STREAMS_MAX;
  }

  admits(caller: string): boolean {
    return (this.#counts.get(caller) ?? 0) < STREAMS_PER_CALLER_MAX;
  }

  add(subscription: Subscription, caller: string): void {
    this.#callers.set(subscription, caller);
    this.#counts.set(caller, (this.#counts.get(caller) ?? 0) + 1);
    subscription.buffer.onClosed((reason) => {
      if (reason === "slow") this.remove(subscription);
    });
  }

  remove(subscription: Subscription): void {
    const caller = this.#callers.get(subscription);
    if (caller === undefined) return;
    subscription.buffer.close("gone");
    this.#callers.delete(subscription);
    const left = (this.#counts.get(caller) ?? 0) - 1;
    if (left > 0) this.#counts.set(caller, left);
    else this.#counts.delete(caller);
  }

  onEnd(stop: () => void): void {
    if (this.#hasEnded) stop();
    this.#stop = stop;
  }

  end(): void {
    this.#hasEnded = true;
    this.#stop?.();
    for (const subscription of this) subscription.buffer.close("shutdown");
  }

  [Symbol.iterator](): IterableIterator<Subscription> {
    return [...this.#callers.keys()][Symbol.iterator]();
  }
}

interface Realtime {
  /** The same database, whose committed changes are published. */
  readonly database: Database;
  /** Adds publication to another database. */
  watched(database: Database): Database;
  readonly handlers: Handlers<"serviceEvents">;
  /** Ends all streams, so that a server can end. */
  end(): void;
  /** Ends the streams of callers in the organization. */
  endOrganization(organizationId: string): void;
}

/**
 * Builds realtime for one application: publication of its database's changes, and its subscribers (contract 6.3). A project
 * without realtime watches nothing and mounts nothing. Throws when the project has realtime and the host has no ports for it.
 */
export function createRealtime(
  project: ProjectModel,
  ports: Ports,
  code: RealtimeCode | null,
): Realtime {
  const { realtime } = ports;
  if (!project.realtime.enabled) {
    const watched = (database: Database) => database;
    return {
      database: ports.database,
      watched,
      handlers: { serviceEvents: null },
      end: () => {},
      endOrganization: () => {},
    };
  }
  if (!realtime) {
    throw new Error("Cannot start: the project has realtime, and the host no ports for it");
  }
  const publisher = createPublisher(project, { ports, realtime, code });
  const hub = createHub(project, { ports, realtime });
  return {
    database: watchingDatabase(ports.database, publisher),
    watched: (database) => watchingDatabase(database, publisher),
    handlers: eventsHandlers(project, hub, realtime),
    end: () => hub.end(),
    endOrganization: (organizationId) => hub.endOrganization(organizationId),
  };
}
