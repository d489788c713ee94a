/**
 * Buffers the frames that wait for one subscriber. The buffer is bounded: a slower subscriber is cut off, and no write ever
 * waits (contract 6.3).
 */
import { STREAM_BYTES_WAITING_MAX, STREAM_FRAMES_WAITING_MAX } from "../../contract/mod.ts";
import type { ClosingReason } from "../../surface/mod.ts";

export type Item =
  /** `id` is the event's, to resume from; null: there is no place to resume from. */
  | { readonly kind: "frame"; readonly id: string | null; readonly text: string }
  | { readonly kind: "resync"; readonly id: string | null; readonly text: string }
  /** Gives the place where the stream begins. */
  | { readonly kind: "open"; readonly id: string }
  /** Keeps the connection open when no frame is sent. */
  | { readonly kind: "beat" };

/** Reason of the close; `gone`: the subscriber left. */
type Closed = ClosingReason | "gone";

export class FrameBuffer {
  #items: Item[] = [];
  #length = 0;
  #reason: Closed | null = null;
  #isHeld = false;
  #wake: (() => void) | null = null;
  #drained: (() => void) | null = null;
  readonly #onClosed: ((reason: Closed) => void)[] = [];

  /** The reason of the close; null: the buffer is open. */
  get closed(): Closed | null {
    return this.#reason;
  }

  get isIdle(): boolean {
    return this.#items.length === 0;
  }

  push(item: Item): void {
    if (this.#reason !== null) return;
    this.#items.push(item);
    this.#length += lengthOf(item);
    const isFull = this.#items.length > STREAM_FRAMES_WAITING_MAX ||
      this.#length > STREAM_BYTES_WAITING_MAX;
    if (isFull) this.close("slow");
    else this.#stir();
  }

  /** Closes the buffer to new frames; at a shutdown, waiting frames are still delivered. */
  close(reason: Closed): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    if (reason !== "shutdown" || this.#isHeld) this.#empty();
    this.#stir();
    for (const told of this.#onClosed) told(reason);
  }

  /** Keeps waiting frames in the buffer until `resume`. */
  hold(): void {
    this.#isHeld = true;
  }

  resume(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#stir();
  }

  /** Drops the waiting frames; returns false where there were none. */
  dropFrames(): boolean {
    const others = this.#items.filter(({ kind }) => kind === "open" || kind === "beat");
    const hadFrames = others.length < this.#items.length;
    this.#empty();
    for (const item of others) this.push(item);
    return hadFrames;
  }

  /** Calls back when the buffer is closed; at once, if it is closed already. */
  onClosed(told: (reason: Closed) => void): void {
    if (this.#reason !== null) told(this.#reason);
    else this.#onClosed.push(told);
  }

  /** Returns the next item; null: the buffer is closed and empty. */
  async next(): Promise<Item | null> {
    while (this.#items.length === 0 || this.#isHeld && this.#reason === null) {
      if (this.#reason !== null) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const item = this.#items.shift() ?? null;
    if (item) this.#length -= lengthOf(item);
    if (this.#items.length === 0) this.#settleDrained();
    return item;
  }

  /** Resolves when the buffer is empty or closed. */
  async drained(): Promise<void> {
    if (this.#items.length === 0 || this.#reason !== null) return;
    await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  #empty(): void {
    this.#items = [];
    this.#length = 0;
    this.#settleDrained();
  }

  #stir(): void {
    this.#wake?.();
    this.#wake = null;
    if (this.#reason !== null) this.#settleDrained();
  }

  #settleDrained(): void {
    this.#drained?.();
    this.#drained = null;
  }
}

function lengthOf(item: Item): number {
  return "text" in item ? item.text.length : 0;
}
