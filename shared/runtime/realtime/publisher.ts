/**
 * Publishes what committed: changes of rows, and the signals of actions (contract 6.3). Publication is best effort: no caller
 * waits for it.
 */
import type { ProjectModel, SignalModel } from "../../model/mod.ts";
import { makesFrames, realtimeResourcesOf, relationsIn } from "../../surface/mod.ts";
import type { RealtimeCode, RealtimeResource } from "../../surface/mod.ts";
import { contextOf } from "../authored/caller_context.ts";
import type { Caller } from "../context.ts";
import {
  ChangeLog,
  type CommittedChanges,
  type SentSignal,
  WatchedTransaction,
  type Watching,
} from "../data/changes/change_log.ts";
import { noteTotals } from "../data/changes/watched_rows.ts";
import { watchingOf } from "../data/changes/watched_tables.ts";
import { partOf } from "../data/within.ts";
import { type RelatedChange, relatedChanges } from "../data/changes/related_rows.ts";
import type { RelatedRow, StoredRow } from "../data/types.ts";
import type { Database, Ports, Reader, RealtimePorts } from "../ports.ts";
import type { Message, RelatedChanges } from "./message.ts";
import { createSender, type Send } from "./sender.ts";

interface PublisherOptions {
  readonly ports: Pick<Ports, "clock" | "logger">;
  readonly realtime: Pick<RealtimePorts, "pubSub" | "timer">;
  /** The project's registry of signals; null: it has none. */
  readonly code: RealtimeCode | null;
}

export interface Publisher {
  /** Tables that make frames, and tables with a history. */
  readonly watching: Watching;
  /** True when rules of some resource follow relations. */
  readonly relates: boolean;
  /** Reads the rows that rules compare behind relations, for a transaction's changes; null: no such rule is concerned. */
  relate(reader: Reader, aftermath: CommittedChanges): Promise<RelatedChanges> | null;
  publish(aftermath: CommittedChanges, related: RelatedChanges | null): void;
}

export function createPublisher(project: ProjectModel, options: PublisherOptions): Publisher {
  const { ports, realtime } = options;
  const { clock } = ports;
  const resources = realtimeResourcesOf(project);
  const told = new Map(resources.map((resource) => [resource.table.name, resource]));
  const signals = new Map(project.realtime.signals.map((signal) => [signal.name, signal]));
  const send = createSender({ ...ports, ...realtime });
  const ruled = resources.filter(({ predicates }) => predicates.length > 0);
  // Tables whose rows decide who sees other tables' rows, with the predicates that read them.
  const deciding = new Map(
    ruled.map(({ table, predicates }) => [
      table.name,
      new Set([
        table.name,
        ...predicates.flatMap(relationsIn).map(({ relation }) => relation.table),
      ]),
    ]),
  );
  return {
    watching: watchingOf(project),
    relates: ruled.length > 0,
    relate(reader, { rows }) {
      const concerned = ruled.filter(({ table }) =>
        rows.some((one) => deciding.get(table.name)?.has(one.table))
      );
      return concerned.length === 0 ? null : related(reader, concerned, rows);
    },
    publish(aftermath, related) {
      const at = new Date(clock.now()).toISOString();
      for (const [resource, changes] of related ?? []) {
        const one = told.get(resource);
        if (changes === null) send({ kind: "crowd", resource, at });
        else if (one) { for (const message of relatedMessages(one, changes, at)) send(message); }
      }
      // A resource has the name of its table.
      const changes = aftermath.rows.flatMap(({ kind, table, id, before, after }): Message[] => {
        const resource = told.get(table);
        if (resource && resource.predicates.length > 0) return [];
        if (!resource || !makesFrames(kind, resource.realtime)) return [];
        const part = (row: StoredRow | null) => row && columnsOf(row, resource.columns);
        const rows = { before: part(before), after: part(after) };
        return [{ kind: "row", change: kind, resource: table, id, ...rows, at }];
      });
      for (const change of changes) send(change);
      const crowded = new Set(aftermath.crowded);
      for (const resource of told.keys()) {
        const tables = deciding.get(resource) ?? new Set([resource]);
        if (!tables.isDisjointFrom(crowded)) send({ kind: "crowd", resource, at });
      }
      for (const sent of aftermath.signals) {
        const signal = signals.get(sent.name);
        if (signal) void sendSignal(sent, signal, { ...options, at, send });
      }
    },
  };
}

async function related(
  reader: Reader,
  resources: readonly RealtimeResource[],
  rows: CommittedChanges["rows"],
): Promise<RelatedChanges> {
  const found = new Map<string, readonly RelatedChange[] | null>();
  for (const resource of resources) {
    found.set(resource.table.name, await relatedChanges(reader, resource, rows));
  }
  return found;
}

function relatedMessages(
  { table, realtime, columns }: RealtimeResource,
  changes: readonly RelatedChange[],
  at: string,
): readonly Message[] {
  const part = (known: RelatedRow | null) => known && columnsOf(known.row, columns);
  return changes.flatMap(({ change: { kind, id }, isInduced, before, after }): Message[] =>
    makesFrames(kind, realtime)
      ? [{
        kind: "row",
        change: kind,
        resource: table.name,
        id,
        before: part(before),
        after: part(after),
        related: { isInduced, before: before?.related ?? null, after: after?.related ?? null },
        at,
      }]
      : []
  );
}

/** Returns a row with the columns that publication needs, when more of it was read. */
function columnsOf(row: StoredRow, columns: readonly string[]): StoredRow {
  if (row.size === columns.length) return row;
  return new Map([...row].filter(([name]) => columns.includes(name)));
}

async function sendSignal(
  { name, payload, caller }: SentSignal,
  signal: SignalModel,
  { at, send, code, ports: { logger } }: PublisherOptions & {
    readonly at: string;
    readonly send: Send;
  },
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

/** Returns the scope of a signal; null: everybody; undefined: the caller has no such scope. */
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

/** Returns the recipients that the author's code names: any other result reaches nobody. */
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

/**
 * Adds publication to databases of code that runs without a caller: its writes are published where those of other handlers are
 * (contract 6.3), unless the project publishes no handler's writes or the host has no realtime.
 */
export function publishing(
  project: ProjectModel,
  ports: Pick<Ports, "clock" | "logger" | "realtime">,
): (database: Database) => Database {
  const { enabled, emitFromActions } = project.realtime;
  if (!enabled || !emitFromActions || !ports.realtime) return (database) => database;
  // Signals are sent by actions alone, so the registry's code is not needed here.
  const publisher = createPublisher(project, { ports, realtime: ports.realtime, code: null });
  return (database) => watchingDatabase(database, publisher);
}

/**
 * Wraps the project's database so that committed changes are published (contract 6.3). It publishes after the commit and never
 * before; rolled-back changes are never published.
 */
export function watchingDatabase(database: Database, publisher: Publisher): Database {
  return {
    run: (statement) => database.run(statement),
    runAll: (statements) => database.runAll(statements),
    migrate: (statements) => database.migrate(statements),
    close: () => database.close(),
    async write(body, options) {
      const { value, aftermath, related } = await database.write(async (transaction) => {
        // A body that runs again begins with an empty log.
        const changes = new ChangeLog(publisher.watching);
        const { counted = [] } = publisher.watching;
        // The statement that ends the transaction is not its last one where totals or related rows are read after it.
        const isLast = counted.length === 0 && !publisher.relates;
        const part = isLast ? transaction : partOf(transaction);
        const value = await body(new WatchedTransaction(part, changes));
        if (counted.length > 0) await noteTotals(transaction, changes, counted);
        const { aftermath } = changes;
        // Related rows are read inside the transaction: after its commit another one may have changed them already.
        const related = await publisher.relate(transaction, aftermath);
        return { value, aftermath, related };
      }, options);
      publisher.publish(aftermath, related);
      return value;
    },
  };
}
