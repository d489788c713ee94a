/** One subscriber: what they see of each event, from the place where they were on (contract 6.3). */
import type { Principal } from "../../model/principal.ts";
import { FRAME_TYPES } from "../../surface/realtime.ts";
import type { Logger, PublishedEvent, PubSub } from "../ports.ts";
import { compareEventIds } from "../../lib/ids.ts";
import { type Message, readMessage } from "./message.ts";
import { FrameBuffer } from "./frame_buffer.ts";
import { frameFor, type RealtimeCatalog, type Viewer, viewerOf } from "./viewer.ts";

/** Events of the log that are read at once. */
const PAGE = 100;
/** Live events that may wait while a subscriber catches up: beyond them the log is read once more. */
const PENDING_MAX = 500;

interface SubscriptionOptions {
  readonly principal: Principal;
  readonly catalog: RealtimeCatalog;
  /** Names of resources and signals; null: all. */
  readonly wanted: ReadonlySet<string> | null;
  readonly pubSub: PubSub;
  readonly logger: Logger;
  /** ISO 8601. */
  readonly now: () => string;
}

/** A published event, read once for all subscribers. */
interface ReadEvent {
  readonly id: string;
  readonly message: Message;
}

/** Messages that have the subscriber read again. */
const RESYNC_KINDS: readonly Message["kind"][] = ["crowd", "lost"];

export class Subscription {
  readonly buffer = new FrameBuffer();
  readonly #options: SubscriptionOptions;
  #viewer: Viewer;
  /** The last event that was judged while catching up; null: every event that comes is new. */
  #place: string | null = null;
  /** Null: it is live. */
  #pending: ReadEvent[] | null = [];
  #isBehind = false;

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#viewer = viewerOf(options.principal, options.catalog, options.wanted);
  }

  get principal(): Principal {
    return this.#viewer.principal;
  }

  /** From now on this is what the caller is. */
  become(principal: Principal): void {
    this.#viewer = viewerOf(principal, this.#options.catalog, this.#options.wanted);
  }

  /** An event as it is published. */
  offer(event: ReadEvent): void {
    if (this.#pending === null) return this.#judge(event);
    if (this.#pending.length < PENDING_MAX) this.#pending.push(event);
    else this.#isBehind = true;
  }

  /** Frames were lost: what the subscriber knows may be old. */
  resync(id: string | null): void {
    const text = JSON.stringify({ type: FRAME_TYPES.resync, at: this.#options.now() });
    this.buffer.push({ kind: "resync", id, text });
  }

  /** Begins where the subscriber was, or now. */
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
        // All that came so far stands in the log.
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
      // Whoever reads slowly catches up slowly, and is not cut off for what was there before.
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

  /** A message that cannot be judged is shown to nobody. */
  #frame(message: Message): string | null {
    try {
      return frameFor(message, this.#viewer);
    } catch (error) {
      this.#options.logger.log({ level: "error", message: "A change cannot be judged", error });
      return null;
    }
  }
}

/** Reads a published event; null: of another version or another sender, which is logged. */
export function readEvent({ id, text }: PublishedEvent, logger: Logger): ReadEvent | null {
  const message = readMessage(text);
  if (message === null) logger.log({ level: "warn", message: "A published event is unknown here" });
  return message && { id, message };
}
