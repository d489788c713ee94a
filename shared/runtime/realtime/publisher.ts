/** Tells what committed: changes of rows, and the signals of actions (contract 6.3). Best effort: nobody waits for it. */
import type { ResourceRealtime } from "../../model/realtime.ts";
import type { ProjectModel } from "../../model/project.ts";
import type { SignalModel } from "../../model/realtime.ts";
import type { RealtimeCode } from "../../surface/authored_code.ts";
import { makesFrames, realtimeResourcesOf } from "../../surface/realtime.ts";
import type { Caller } from "../context.ts";
import type { CommittedChanges, SentSignal, WatchedTables } from "../data/changes/change_log.ts";
import { contextOf } from "../authored/handler_context.ts";
import type { Ports, RealtimePorts } from "../ports.ts";
import type { Message } from "./message.ts";
import { createSender, type Send } from "./sender.ts";

interface PublisherOptions {
  readonly ports: Pick<Ports, "clock" | "logger">;
  readonly realtime: Pick<RealtimePorts, "pubSub" | "timer">;
  /** The project's registry; null: it has none. */
  readonly code: RealtimeCode | null;
}

export interface Publisher {
  readonly watched: WatchedTables;
  publish(aftermath: CommittedChanges): void;
}

export function createPublisher(project: ProjectModel, options: PublisherOptions): Publisher {
  const { ports, realtime } = options;
  const { clock } = ports;
  const resources = realtimeResourcesOf(project);
  const told = new Map(resources.map(({ table, realtime }) => [table.name, realtime]));
  const signals = new Map(project.realtime.signals.map((signal) => [signal.name, signal]));
  const send = createSender({ ...ports, ...realtime });
  return {
    watched: new Map(resources.map(({ table, columns }) => [table.name, columns])),
    publish(aftermath) {
      const at = new Date(clock.now()).toISOString();
      for (const message of changesIn(aftermath, told, at)) send(message);
      for (const sent of aftermath.signals) {
        const signal = signals.get(sent.name);
        if (signal) void sendSignal(sent, signal, { ...options, at, send });
      }
    },
  };
}

/** A resource has the name of its table. */
function changesIn(
  { rows, crowded }: CommittedChanges,
  told: ReadonlyMap<string, ResourceRealtime>,
  at: string,
): readonly Message[] {
  const changes = rows.flatMap(({ kind, table, ...row }): Message[] => {
    const realtime = told.get(table);
    if (!realtime || !makesFrames(kind, realtime)) return [];
    return [{ kind: "row", change: kind, resource: table, ...row, at }];
  });
  return [...changes, ...crowded.map((resource) => ({ kind: "crowd", resource, at }) as const)];
}

interface SignalMeans extends PublisherOptions {
  readonly at: string;
  readonly send: Send;
}

async function sendSignal(
  { name, payload, caller }: SentSignal,
  signal: SignalModel,
  { at, send, code, ports: { logger } }: SignalMeans,
): Promise<void> {
  const nobody = (why: string, error?: unknown) =>
    logger.log({
      level: "warn",
      message: `Signal "${name}" reaches nobody: ${why}`,
      ...(error === undefined ? {} : { error }),
    });
  const scope = scopeOf(signal, caller);
  if (scope === undefined) return nobody(`its caller has no ${signal.scope}`);
  let recipients: readonly string[] | null = null;
  if (signal.hasRecipients) {
    try {
      recipients = await resolved(name, code, { caller, payload });
    } catch (error) {
      return nobody("its recipients could not be resolved", error);
    }
    if (recipients.length === 0) return nobody("it has no recipients");
  }
  const data = Object.fromEntries(
    Object.entries(payload).filter(([key]) => signal.keys.includes(key)),
  );
  send({
    kind: "signal",
    signal: name,
    data,
    scope,
    recipients: recipients && [...recipients],
    at,
  });
}

/** Null: everybody; undefined: the caller has no such scope. */
function scopeOf(
  { scope }: SignalModel,
  { principal, organizationId }: Caller,
): string | null | undefined {
  switch (scope) {
    case "all":
      return null;
    case "organization":
      return organizationId ?? undefined;
    case "team":
      return principal.teamId ?? undefined;
    case "user":
      return principal.userId ?? undefined;
  }
}

/** The author's code says so: whatever else it returns reaches nobody. */
async function resolved(
  name: string,
  code: RealtimeCode | null,
  { caller, payload }: Pick<SentSignal, "caller" | "payload">,
): Promise<readonly string[]> {
  const [binding = "", variant = ""] = name.split(".");
  const recipients = code?.[binding]?.[variant]?.audience.recipients;
  if (!recipients) throw new Error(`The registry has no recipients for "${name}"`);
  const found: unknown = await Reflect.apply(recipients, undefined, [
    contextOf(caller),
    structuredClone(payload),
  ]);
  if (!Array.isArray(found) || !found.every((one) => typeof one === "string")) {
    throw new TypeError("recipients() must return a list of user ids");
  }
  return found;
}
