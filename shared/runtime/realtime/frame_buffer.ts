/** Frames that wait for one subscriber, bounded: a slower one is cut off, and no write ever waits (contract 6.3). */
import { STREAM_BYTES_WAITING_MAX, STREAM_FRAMES_WAITING_MAX } from "../../contract/mod.ts";
import type { ClosingReason } from "../../surface/mod.ts";

export type Item =
  /** `id` is the event's, for coming back; null: there is nothing to come back to. */
  | { readonly kind: "frame"; readonly id: string | null; readonly text: string }
  | { readonly kind: "resync"; readonly id: string | null; readonly text: string }
  /** Says where the stream begins. */
  | { readonly kind: "open"; readonly id: string }
  /** Keeps the connection open where nothing else is said. */
  | { readonly kind: "beat" };

export class FrameBuffer {
  #items: Item[] = [];
  #length = 0;
  #reason: ClosingReason | "gone" | null = null;
  #wake: (() => void) | null = null;
  #drained: (() => void) | null = null;
  readonly #onCut: (() => void)[] = [];

  /** Null: it is open. */
  get closed(): ClosingReason | "gone" | null {
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
    if (isFull) this.#cut();
    else this.#stir();
  }

  /** Nothing comes after what waits already. */
  close(reason: ClosingReason | "gone"): void {
    if (this.#reason !== null) return;
    this.#reason = reason;
    if (reason === "gone") this.#items = [];
    this.#stir();
  }

  /** Calls back when a slow subscriber is cut off. */
  onCut(cut: () => void): void {
    this.#onCut.push(cut);
  }

  /** Null: it is closed, and everything was taken. */
  async next(): Promise<Item | null> {
    while (this.#items.length === 0) {
      if (this.#reason !== null) return null;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    const item = this.#items.shift() ?? null;
    if (item) this.#length -= lengthOf(item);
    if (this.#items.length === 0) this.#settleDrained();
    return item;
  }

  /** Resolves when everything was taken, or it is closed. */
  async drained(): Promise<void> {
    if (this.#items.length === 0 || this.#reason !== null) return;
    await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  #cut(): void {
    this.#items = [];
    this.#length = 0;
    this.close("slow");
    for (const cut of this.#onCut) cut();
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
