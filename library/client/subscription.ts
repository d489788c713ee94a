/** Frames of changes and signals, over successive streams (contract 6.3, definitions 7 "realtime"). */
import type { ApiShape, Member, Names } from "./api.ts";
import { streamEvents } from "./event_stream.ts";
import { queryText } from "./query_text.ts";
import { type ClientOptions, pauseAfter, type Send, waited } from "./transport.ts";

/** Frames were missed. Read again what is shown: of one resource or, without one, everything. */
export interface Resync<N extends string = string> {
  readonly type: "resync";
  readonly resource?: N;
  readonly at: string;
}

/** Frames of these resources and signals. */
export type Frame<A extends ApiShape, N extends Names<A["frames"]> = Names<A["frames"]>> =
  & (Member<A["frames"], N> | Resync<N>)
  & {
    /** Id to continue after. */
    readonly eventId?: string;
  };

export interface SubscribeOptions<N extends string> {
  /** Names of resources and signals. Default: all. */
  readonly resources?: readonly N[];
  /** Id of the event to continue after: `eventId` of the last received frame. */
  readonly lastEventId?: string;
  /** Ends the subscription. A loop over frames would wait for the next one otherwise. */
  readonly signal?: AbortSignal;
}

/** Does not exist in projects without realtime. */
export type Subscribe<A extends ApiShape> = [Names<A["frames"]>] extends [never] ? never
  : <const N extends Names<A["frames"]> = Names<A["frames"]>>(
    options?: SubscribeOptions<N>,
  ) => AsyncGenerator<Frame<A, N>, void, void>;

interface AnyFrame {
  readonly type: string;
}

/**
 * Yields frames. It reconnects after the last event whenever a stream ends, with a new token if the old one expired. Throws a
 * permanent refusal, and ends when the signal aborts.
 */
export async function* subscribe(
  { send, path, wait = waited }: {
    readonly send: Send;
    /** `/broadcast/v1/events` */
    readonly path: string;
    readonly wait?: ClientOptions["wait"];
  },
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
    // An abort ends the loop; the pause need not throw.
    await wait(pause, signal).catch(() => {});
  }
}

function isOver(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
