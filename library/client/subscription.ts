/** Frames of changes and signals, from one stream after another (contract 6.3, definitions 7 "realtime"). */
import type { ApiShape, Member, Names } from "./api.ts";
import { streamEvents } from "./event_stream.ts";
import { queryText } from "./query_text.ts";
import { type ClientOptions, pauseAfter, type Send, waited } from "./transport.ts";

/** Frames were missed: what is shown is to be read again, of one resource or, without one, all of it. */
export interface Resync<N extends string = string> {
  readonly type: "resync";
  readonly resource?: N;
  readonly at: string;
}

/** Frames of the named resources and signals. */
export type Frame<A extends ApiShape, N extends Names<A["frames"]> = Names<A["frames"]>> =
  & (Member<A["frames"], N> | Resync<N>)
  & {
    /** Place to go on after it. */
    readonly eventId?: string;
  };

export interface SubscribeOptions<N extends string> {
  /** Names of resources and signals; without it, all of them. */
  readonly resources?: readonly N[];
  /** The event after which to go on: `eventId` of the last frame that was heard. */
  readonly lastEventId?: string;
  /** Ends it: a loop over frames waits for the next one otherwise. */
  readonly signal?: AbortSignal;
}

/** Without realtime there is nothing to hear. */
export type Subscribe<A extends ApiShape> = [Names<A["frames"]>] extends [never] ? never
  : <const N extends Names<A["frames"]> = Names<A["frames"]>>(
    options?: SubscribeOptions<N>,
  ) => AsyncGenerator<Frame<A, N>, void, void>;

interface SubscriptionContext {
  readonly send: Send;
  /** `/broadcast/v1/events` */
  readonly path: string;
  readonly wait?: ClientOptions["wait"];
}

interface AnyFrame {
  readonly type: string;
}

/**
 * Comes back after the last event whenever a stream ends, with a new token where that was why. Throws what the API refuses
 * for good, and ends with the signal.
 */
export async function* subscribe(
  { send, path, wait = waited }: SubscriptionContext,
  { resources, lastEventId, signal }: SubscribeOptions<string> = {},
): AsyncGenerator<AnyFrame, void, void> {
  let last = lastEventId ?? null;
  for (let failures = 0; !isOver(signal);) {
    let failure: unknown = null;
    try {
      const response = await send({
        method: "GET",
        path: path + queryText({ resources }),
        accept: "text/event-stream",
        headers: last === null ? {} : { "last-event-id": last },
        isUnkeyed: true,
      }, signal === undefined ? {} : { signal });
      if (response.body === null) throw new TypeError("The stream has no body");
      for await (const { id, data } of streamEvents(response.body, signal)) {
        failures = 0;
        last = id ?? last;
        if (data === null) continue;
        const frame: AnyFrame = JSON.parse(data);
        if (frame.type === "closing") break;
        yield { ...frame, ...(id === null ? {} : { eventId: id }) };
      }
    } catch (error) {
      failure = error;
    }
    const pause = isOver(signal) ? 0 : pauseAfter(failure, ++failures);
    if (pause === null) throw failure;
    // The signal ends the loop, not the pause.
    await wait(pause, signal).catch(() => {});
  }
}

function isOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
