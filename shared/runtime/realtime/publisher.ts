/** Tells what committed: changes of rows, and the signals of actions (contract 6.3). Best effort: nobody waits for it. */
import { z } from "zod";
import type { ProjectModel, SignalModel } from "../../model/mod.ts";
import { makesFrames, type RealtimeCode, type RealtimeResource } from "../../surface/mod.ts";
import { realtimeResourcesOf, relationsIn } from "../../surface/mod.ts";
import { contextOf } from "../authored/caller_context.ts";
import type { Caller } from "../context.ts";
import type { CommittedChanges, SentSignal, Watching } from "../data/changes/change_log.ts";
import { ChangeLog, WatchedTransaction } from "../data/changes/change_log.ts";
import { noteTotals } from "../data/changes/watched_rows.ts";
import { watchingOf } from "../data/changes/watched_tables.ts";
import { partOf } from "../data/within.ts";
import { type RelatedChange, relatedChanges } from "../data/changes/related_rows.ts";
import {
  CELL,
  cellOf,
  type Cells,
  cellsOf,
  rowOf,
  storedOf,
} from "../data/changes/stored_cells.ts";
import type { RelatedRow, StoredRow } from "../data/types.ts";
import type {
  Clock,
  Database,
  Logger,
  Ports,
  PubSub,
  Reader,
  RealtimePorts,
  SqlValue,
  Timer,
} from "../ports.ts";

interface PublisherOptions {
  readonly ports: Pick<Ports, "clock" | "logger">;
  readonly realtime: Pick<RealtimePorts, "pubSub" | "timer">;
  /** The project's registry; null: it has none. */
  readonly code: RealtimeCode | null;
}

export interface Publisher {
  /** Tables that make frames, and those whose history is kept. */
  readonly watching: Watching;
  /** Reads what rules that follow relations need of a transaction's changes; null: no such rule is concerned. */
  relate(reader: Reader, aftermath: CommittedChanges): Promise<RelatedChanges> | null;
  publish(aftermath: CommittedChanges, related: RelatedChanges | null): void;
}

/** By resource whose rules follow relations; null: too many rows to tell of each. */
export type RelatedChanges = ReadonlyMap<string, readonly RelatedChange[] | null>;

export function createPublisher(project: ProjectModel, options: PublisherOptions): Publisher {
  const { ports, realtime } = options;
  const { clock } = ports;
  const resources = realtimeResourcesOf(project);
  const told = new Map(resources.map((resource) => [resource.table.name, resource]));
  const signals = new Map(project.realtime.signals.map((signal) => [signal.name, signal]));
  const send = createSender({ ...ports, ...realtime });
  const ruled = resources.filter(({ predicates }) => predicates.length > 0);
  // Tables whose rows decide who sees others', by these.
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

/** A row that was read for more than publication is cut to what that needs. */
function columnsOf(row: StoredRow, columns: readonly string[]): StoredRow {
  if (row.size === columns.length) return row;
  return new Map([...row].filter(([name]) => columns.includes(name)));
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

type PublishingPorts = Pick<Ports, "clock" | "logger" | "realtime">;

/**
 * Adds publication to databases of code that runs without a caller: its writes are published where those of other handlers
 * are (contract 6.3), unless the project publishes no handler's writes or the host has no realtime.
 */
export function publishing(
  project: ProjectModel,
  ports: PublishingPorts,
): (database: Database) => Database {
  const { enabled, emitFromActions } = project.realtime;
  if (!enabled || !emitFromActions || !ports.realtime) return (database) => database;
  // Signals are sent by actions alone, so the registry's code is not needed here.
  const publisher = createPublisher(project, { ports, realtime: ports.realtime, code: null });
  return (database) => watchingDatabase(database, publisher);
}

/**
 * The project's database, whose committed changes are published (contract 6.3). Publishes after the commit and never
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
        // A body that is run again begins anew.
        const changes = new ChangeLog(publisher.watching);
        const { counted = [] } = publisher.watching;
        // What it ends with is not the end, where totals are looked at behind it.
        const part = counted.length === 0 ? transaction : partOf(transaction);
        const value = await body(new WatchedTransaction(part, changes));
        if (counted.length > 0) await noteTotals(transaction, changes, counted);
        const { aftermath } = changes;
        // Where statements travel, the last ones are on their way with the commit.
        const related = transaction.line
          ? undefined
          : await publisher.relate(transaction, aftermath);
        return { value, aftermath, related };
      }, options);
      const known = related === undefined ? await publisher.relate(database, aftermath) : related;
      publisher.publish(aftermath, known);
      return value;
    },
  };
}

interface SenderOptions {
  readonly pubSub: PubSub;
  readonly timer: Timer;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type Send = (message: Message) => void;

/** Messages that wait while the log is slow or away; with one more all of them are lost. */
export const WAITING_MAX = 10_000;
export const TOGETHER_MAX = 200;
export const RETRY_MS = 1000;

/**
 * Hands messages to the log of events, in the order of the commits: those that wait go together. What could not be
 * handed over is lost, and one message in its place has every subscriber read again (contract 6.3).
 */
export function createSender({ pubSub, timer, clock, logger }: SenderOptions): Send {
  let waiting: string[] = [];
  let isUnderWay = false;
  let isAway = false;
  const lose = (why: string, error?: unknown) => {
    waiting = [messageText({ kind: "lost", at: new Date(clock.now()).toISOString() })];
    if (!isAway) {
      logger.log({ level: "error", message: `Changes were not published: ${why}`, error });
    }
    isAway = true;
  };
  const sendAll = async () => {
    isUnderWay = true;
    // The frames of one commit go together.
    await Promise.resolve();
    try {
      while (waiting.length > 0) {
        await pubSub.publish(waiting.splice(0, TOGETHER_MAX));
        isAway = false;
      }
      isUnderWay = false;
    } catch (error) {
      lose("subscribers will be told to read again", error);
      timer.after(RETRY_MS, () => void sendAll());
    }
  };
  return (message) => {
    if (waiting.length >= WAITING_MAX) lose("too many of them wait");
    waiting.push(messageText(message));
    if (!isUnderWay) void sendAll();
  };
}

const ROW = z.record(z.string(), CELL).nullable();

interface EncodedRelated {
  readonly row: Cells;
  readonly related: readonly (readonly EncodedRelated[])[];
}

const RELATED: z.ZodType<EncodedRelated["related"]> = z.array(z.array(z.strictObject({
  row: z.record(z.string(), CELL),
  related: z.lazy(() => RELATED),
})));

const MESSAGE = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("row"),
    change: z.enum(["insert", "update", "delete"]),
    resource: z.string(),
    id: CELL,
    before: ROW,
    after: ROW,
    related: z.strictObject({
      isInduced: z.boolean(),
      before: z.lazy(() => RELATED).nullable(),
      after: z.lazy(() => RELATED).nullable(),
    }).optional(),
    at: z.string(),
  }),
  /** Too many rows to publish each of them. */
  z.strictObject({ kind: z.literal("crowd"), resource: z.string(), at: z.string() }),
  /** Messages before this one were not published. */
  z.strictObject({ kind: z.literal("lost"), at: z.string() }),
  z.strictObject({
    kind: z.literal("signal"),
    signal: z.string(),
    data: z.record(z.string(), z.unknown()),
    /** Of the scope: an organization, a team or a user; null: `all`. */
    scope: z.string().nullable(),
    /** User ids; null: everybody in the scope. */
    recipients: z.array(z.string()).nullable(),
    at: z.string(),
  }),
]);

type Encoded = z.infer<typeof MESSAGE>;
type EncodedRow = Extract<Encoded, { kind: "row" }>;

interface RowMessage {
  readonly kind: "row";
  readonly change: EncodedRow["change"];
  readonly resource: string;
  readonly id: SqlValue;
  readonly before: StoredRow | null;
  readonly after: StoredRow | null;
  /** Rows that the rules of the resource ask for, before and after; absent: they follow no relation. */
  readonly related?: {
    /** The row itself is as it was. */
    readonly isInduced: boolean;
    readonly before: RelatedRow["related"] | null;
    readonly after: RelatedRow["related"] | null;
  };
  /** ISO 8601. */
  readonly at: string;
}

export type Message = RowMessage | Exclude<Encoded, EncodedRow>;

/**
 * Messages between instances about a change or a signal, inside the trust boundary (docs/decisions/realtime.md): rows as
 * they are stored, whole enough to judge and to mask them for each subscriber. Never sent to one.
 */
function messageText(message: Message): string {
  if (message.kind !== "row") return JSON.stringify(message);
  const { id, before, after, related, ...rest } = message;
  return JSON.stringify({
    ...rest,
    ...(related
      ? {
        related: {
          ...related,
          before: related.before && relatedCells(related.before),
          after: related.after && relatedCells(related.after),
        },
      }
      : {}),
    id: cellOf(id),
    before: before && cellsOf(before),
    after: after && cellsOf(after),
  });
}

/** Null: it is none that this version understands. */
export function readMessage(text: string): Message | null {
  const parsed = MESSAGE.safeParse(jsonOf(text));
  if (!parsed.success) return null;
  const message = parsed.data;
  if (message.kind !== "row") return message;
  const { id, before, after, related, ...rest } = message;
  return {
    ...rest,
    ...(related
      ? {
        related: {
          ...related,
          before: related.before && relatedStored(related.before),
          after: related.after && relatedStored(related.after),
        },
      }
      : {}),
    id: storedOf(id),
    before: before && rowOf(before),
    after: after && rowOf(after),
  };
}

function relatedCells(related: RelatedRow["related"]): EncodedRelated["related"] {
  return related.map((rows) =>
    rows.map(({ row, related }) => ({ row: cellsOf(row), related: relatedCells(related) }))
  );
}

function relatedStored(related: EncodedRelated["related"]): RelatedRow["related"] {
  return related.map((rows) =>
    rows.map(({ row, related }) => ({ row: rowOf(row), related: relatedStored(related) }))
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
