/**
 * Builds one subscriber's view of messages (contract 6.3), and the stream of frames for the subscriber. A frame shows exactly
 * what the subscriber's own read would show, judged by the functions of reads; everything that is known of a caller without a
 * row is computed once.
 */
import { compareEventIds } from "../../lib/ids.ts";
import type { Principal, SignalModel } from "../../model/mod.ts";
import { admissionOf, FRAME_TYPES, holdsRole, makesFrames, readRuleOf } from "../../surface/mod.ts";
import { sightOf } from "../../surface/mod.ts";
import type { RealtimeResource, RowRule } from "../../surface/mod.ts";
import { isBehindColumns, relatedSatisfies, rowSatisfies } from "../data/conditions.ts";
import { relationRule } from "../data/judged_rows.ts";
import { recordOfRow } from "../data/record_plan.ts";
import type { RelatedRow, StoredRow } from "../data/types.ts";
import { type Firewall, firewallFor } from "../layers/3-firewall/firewall.ts";
import type { Logger, PublishedEvent, PubSub, SqlValue } from "../ports.ts";
import { FrameBuffer } from "./frame_buffer.ts";
import { type Message, readMessage } from "./message.ts";

/** Resources and signals that a project publishes. */
export interface RealtimeCatalog {
  readonly resources: readonly RealtimeResource[];
  readonly signals: readonly SignalModel[];
}

export interface Viewer {
  readonly principal: Principal;
  readonly views: ReadonlyMap<string, View>;
  readonly signals: ReadonlyMap<string, SignalModel>;
}

interface View {
  readonly told: RealtimeResource;
  readonly firewall: Firewall;
  /** The row's rule beside the firewall; null: none. */
  readonly rule: RowRule | null;
}

/** Builds the view of a caller. `wanted` contains names of resources and signals; null: all of them. */
export function viewerOf(
  principal: Principal,
  { resources, signals }: RealtimeCatalog,
  wanted: ReadonlySet<string> | null,
): Viewer {
  const isWanted = (name: string) => wanted === null || wanted.has(name);
  const views = resources.flatMap((told): (readonly [string, View])[] => {
    const { name } = told.resource;
    const view = isWanted(name) ? viewOf(principal, told) : null;
    return view ? [[name, view]] : [];
  });
  // No permission of an API key names a signal.
  const heard = principal.grants === undefined
    ? signals.filter(({ name, roles }) => isWanted(name) && holdsAny(principal, roles))
    : [];
  return {
    principal,
    views: new Map(views),
    signals: new Map(heard.map((signal) => [signal.name, signal])),
  };
}

/** Returns the caller's view of a resource; null: the caller may read nothing of it. */
function viewOf(principal: Principal, told: RealtimeResource): View | null {
  const rule = readRuleOf(told.resource);
  const admission = rule && admissionOf(rule, principal);
  if (!admission || admission.kind === "refused" || !holdsAny(principal, told.realtime.roles)) {
    return null;
  }
  const { organizationId } = principal;
  const firewall = firewallFor(told.table, { principal, organizationId });
  return { told, firewall, rule: admission.kind === "conditional" ? admission.rule : null };
}

function hearsOfNothing({ views, signals }: Viewer): boolean {
  return views.size === 0 && signals.size === 0;
}

/** True when the caller has one of the roles. Null requires no role; an empty list admits nobody. */
function holdsAny(principal: Principal, roles: readonly string[] | null): boolean {
  return roles === null || roles.some((role) => holdsRole(principal, role));
}

/** Returns the frame of a message for this subscriber, as JSON text; null: none. */
export function frameFor(message: Message, viewer: Viewer): string | null {
  switch (message.kind) {
    case "row": {
      // A row that the subscriber can no longer see is gone for them, for whatever reason: they get its id and nothing else.
      const view = viewer.views.get(message.resource);
      if (!view || !makesFrames(message.change, view.told.realtime)) return null;
      const { told: { resource, realtime }, firewall } = view;
      const { before, after, change, id, at } = message;
      const common = { resource: message.resource, id, at };
      const saw = before !== null && isVisible(view, before, message.related?.before);
      const sees = change !== "delete" && after !== null &&
        isVisible(view, after, message.related?.after);
      // Other rows have changed: for a subscriber who saw the row it is the same, unless a mask is lifted.
      if (message.related?.isInduced && saw === sees && !(sees && isShownAnew(view, message))) {
        return null;
      }
      if (sees) {
        const shown = shownIn(view, after, message.related?.after);
        const columns = realtime.fields;
        const data = recordOfRow(after, { resource, columns, firewall, shown });
        return frame(FRAME_TYPES[change], { ...common, data });
      }
      return saw ? frame(FRAME_TYPES.delete, common) : null;
    }
    case "crowd":
      return viewer.views.has(message.resource)
        ? frame(FRAME_TYPES.resync, { resource: message.resource, at: message.at })
        : null;
    case "lost":
      return JSON.stringify({ type: FRAME_TYPES.resync, at: message.at });
    case "signal":
      return isAddressed(message, viewer)
        ? frame(FRAME_TYPES.signal, {
          resource: message.signal,
          data: JSON.stringify(message.data),
          at: message.at,
        })
        : null;
  }
}

type RowMessage = Extract<Message, { readonly kind: "row" }>;

type Related = RelatedRow["related"] | null | undefined;

/** True when a read of the row by the firewall's caller would find it. */
function isVisible(view: View, row: StoredRow, related: Related): boolean {
  const { firewall, rule } = view;
  if (!isBehindColumns(row, firewall)) return false;
  if (view.told.predicates.length === 0) return rule === null || rowSatisfies(rule, row, firewall);
  const rules = [relationRule(firewall), rule].filter((one) => one !== null);
  return rules.every((one) => relatedSatisfies(one, knownRow(row, related), within(view)));
}

/** Returns the columns that other rows show to the caller in place of their masks. */
function shownIn(view: View, row: StoredRow, related: Related): ReadonlySet<string> | undefined {
  const { resource } = view.told;
  const sights = Object.keys(resource.masks).flatMap((name) => {
    const sight = sightOf(resource, name, view.firewall.principal);
    return sight.kind === "byRow" ? [{ name, rule: sight.rows }] : [];
  });
  if (sights.length === 0) return undefined;
  const known = knownRow(row, related);
  return new Set(
    sights.filter(({ rule }) => relatedSatisfies(rule, known, within(view)))
      .map(({ name }) => name),
  );
}

/** True when other rows have lifted or closed a mask. */
function isShownAnew(view: View, { before, after, related }: RowMessage): boolean {
  if (before === null || after === null) return false;
  const was = shownIn(view, before, related?.before);
  const is = shownIn(view, after, related?.after);
  return was !== undefined && is !== undefined && was.symmetricDifference(is).size > 0;
}

function knownRow(row: StoredRow, related: Related): RelatedRow {
  return { row, related: related ?? [] };
}

function within({ firewall, told: { predicates } }: View) {
  return { firewall, predicates };
}

function frame(type: string, { resource, id, data, at }: {
  readonly resource: string;
  readonly id?: SqlValue;
  /** The data as JSON text. */
  readonly data?: string;
  readonly at: string;
}): string {
  const members = [
    `"type":${JSON.stringify(type)}`,
    `"resource":${JSON.stringify(resource)}`,
    ...(id === undefined ? [] : [`"id":${typeof id === "bigint" ? id : JSON.stringify(id)}`]),
    ...(data === undefined ? [] : [`"data":${data}`]),
    `"at":${JSON.stringify(at)}`,
  ];
  return `{${members.join(",")}}`;
}

/** True when scope, roles and recipients all include the subscriber (contract 6.3). */
function isAddressed(
  { signal: name, scope, recipients }: Extract<Message, { readonly kind: "signal" }>,
  { principal, signals }: Viewer,
): boolean {
  const signal = signals.get(name);
  if (!signal) return false;
  const { organizationId: organization, teamId: team, userId: user } = principal;
  const isInScope = signal.scope === "all"
    ? scope === null
    : scope !== null && scope === { organization, team, user }[signal.scope];
  if (!isInScope) return false;
  return recipients === null ||
    (principal.userId !== null && recipients.includes(principal.userId));
}

/** Events of the log that are read at once. */
const PAGE = 100;
/** Maximum live events that wait while a subscriber catches up: beyond them the log is read once more. */
const PENDING_MAX = 500;

interface SubscriptionOptions {
  readonly principal: Principal;
  readonly catalog: RealtimeCatalog;
  /** Names of resources and signals; null: all. */
  readonly wanted: ReadonlySet<string> | null;
  readonly pubSub: PubSub;
  readonly logger: Logger;
  /** Returns the time as ISO 8601. */
  readonly now: () => string;
}

/** A published event, read once for all subscribers. */
interface ReadEvent {
  readonly id: string;
  readonly message: Message;
}

/** Kinds of messages that make the subscriber read again. */
const RESYNC_KINDS: readonly Message["kind"][] = ["crowd", "lost"];

/** One subscriber, with the frames of each event from the place where the stream resumes (contract 6.3). */
export class Subscription {
  readonly buffer = new FrameBuffer();
  readonly #options: SubscriptionOptions;
  #viewer: Viewer;
  /** The last event that was judged while catching up; null: every event that arrives is new. */
  #place: string | null = null;
  /** Live events that wait while the subscriber catches up; null: the subscriber has caught up. */
  #pending: ReadEvent[] | null = [];
  #isBehind = false;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#viewer = viewerOf(options.principal, options.catalog, options.wanted);
  }

  get principal(): Principal {
    return this.#viewer.principal;
  }

  /**
   * Changes the caller's rights from now on; null: the caller has none. A subscriber with nothing left to receive is closed.
   * Waiting frames were judged by the old rights, so they are dropped.
   */
  become(principal: Principal | null): void {
    const before = this.#viewer;
    const viewer = principal && viewerOf(principal, this.#options.catalog, this.#options.wanted);
    const hasLeft = before.principal.organizationId !== null &&
      viewer?.principal.organizationId === null;
    if (viewer === null || hasLeft || (hearsOfNothing(viewer) && !hearsOfNothing(before))) {
      return this.buffer.close("credentials");
    }
    this.#viewer = viewer;
    if (this.buffer.dropFrames()) this.resync(null);
  }

  /** Sends nothing until `resume`, because the caller's rights cannot be checked. */
  hold(): void {
    this.buffer.hold();
  }

  resume(): void {
    this.buffer.resume();
  }

  /** Takes an event at its publication. */
  offer(event: ReadEvent): void {
    if (this.#pending === null) return this.#judge(event);
    if (this.#pending.length < PENDING_MAX) this.#pending.push(event);
    else this.#isBehind = true;
  }

  /** Makes the subscriber read again, after frames were lost. */
  resync(id: string | null): void {
    const text = JSON.stringify({ type: FRAME_TYPES.resync, at: this.#options.now() });
    this.buffer.push({ kind: "resync", id, text });
  }

  /** Begins where the subscriber stopped, or now. */
  async begin(lastEventId: string | null): Promise<void> {
    const id = lastEventId ?? await this.#options.pubSub.position();
    this.buffer.push({ kind: "open", id });
    if (lastEventId !== null) await this.#catchUp(lastEventId);
    if (this.#isBehind) this.resync(null);
    for (const event of this.#pending ?? []) this.#judge(event);
    this.#pending = null;
  }

  async #catchUp(from: string): Promise<void> {
    const { pubSub } = this.#options;
    this.#place = from;
    while (this.buffer.closed === null) {
      if (this.#isBehind) {
        // All events so far are in the log.
        this.#isBehind = false;
        this.#pending = [];
      }
      const events = await pubSub.after(this.#place, PAGE);
      if (events === null) return this.#startOver();
      for (const event of events) {
        const read = readEvent(event, this.#options.logger);
        if (read) this.#judge(read);
        this.#place = event.id;
      }
      if (events.length === 0 && !this.#isBehind) return;
      // A slow reader catches up slowly, and is not cut off because of events from before.
      await this.buffer.drained();
    }
  }

  async #startOver(): Promise<void> {
    const { pubSub } = this.#options;
    this.#place = await pubSub.position();
    this.resync(this.#place);
  }

  #judge(event: ReadEvent): void {
    if (this.#place !== null) {
      if (compareEventIds(event.id, this.#place) <= 0) return;
      if (this.#pending === null) this.#place = null;
    }
    const text = this.#frame(event.message);
    if (text === null) return;
    const kind = RESYNC_KINDS.includes(event.message.kind) ? "resync" : "frame";
    this.buffer.push({ kind, id: event.id, text });
  }

  /** Returns the frame of a message; a message that cannot be judged is shown to nobody. */
  #frame(message: Message): string | null {
    try {
      return frameFor(message, this.#viewer);
    } catch (error) {
      this.#options.logger.log({ level: "error", message: "A change cannot be judged", error });
      return null;
    }
  }
}

/** Reads a published event; null: it is of another version or another sender, which is logged. */
export function readEvent({ id, text }: PublishedEvent, logger: Logger): ReadEvent | null {
  const message = readMessage(text);
  if (message === null) logger.log({ level: "warn", message: "A published event is unknown here" });
  return message && { id, message };
}
