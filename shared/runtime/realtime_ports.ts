/** Ports of the event stream: a log of events that instances share, and accepted WebSockets. */
import type { Timer } from "./timer.ts";

/** A published message with its place in the order of all messages (contract 6.3; docs/decisions/realtime.md). */
export interface PublishedEvent {
  /** `<milliseconds>-<count>`: increases, and means the same on every instance. */
  readonly id: string;
  readonly text: string;
}

export interface EventListener {
  event(event: PublishedEvent): void;
  /** Reports that events were lost on the way to this instance. */
  gap(): void;
}

/** A log of events that all instances write and read; the last ones are kept. */
export interface PubSub {
  /** Publishes the texts one after the other, in one step. */
  publish(texts: readonly string[]): Promise<void>;
  /** Passes everything that is published from now on to the listener, in order; resolves when it listens. */
  listen(listener: EventListener): Promise<() => void>;
  /** Returns a place after everything published so far and before everything that follows. */
  position(): Promise<string>;
  /**
   * Returns at most `limit` events after this place, in order; null: some of them may be gone, or the place is not of this log.
   */
  after(id: string, limit: number): Promise<readonly PublishedEvent[] | null>;
}

export interface RealtimePorts {
  readonly pubSub: PubSub;
  readonly timer: Timer;
}

/** An accepted WebSocket. The platform's own satisfies it. */
export interface ServerSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Bytes that the network has not taken yet. */
  readonly bufferedAmount: number;
  addEventListener(type: "open" | "close" | "error" | "message", listener: () => void): void;
}

/** A connection that becomes a WebSocket: `response` is the answer to its request. */
export interface Upgraded {
  readonly response: Response;
  readonly socket: ServerSocket;
}
