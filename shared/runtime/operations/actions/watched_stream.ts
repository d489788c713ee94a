/**
 * A body that authored code makes piece by piece (contract 4.4 rule 4): its texts become bytes, its failure is reported, and it
 * breaks off once its caller has lost a right that it was made with.
 */
import { keepsRights, LostRightsError } from "../../layers/1-authentication/rights_watch.ts";
import type { ActionCall } from "./action_plan.ts";

/** The reader of a stream that breaks off gets a broken body, since its status is sent already. */
export function watchedStream(
  stream: ReadableStream<unknown>,
  call: ActionCall,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const encoder = new TextEncoder();
  const told = createGate();
  let isOver = false;
  let unwatch = () => {};
  const end = () => {
    isOver = true;
    told.resume();
    unwatch();
  };
  return new ReadableStream({
    async start(controller) {
      const { principal } = call.request;
      unwatch = await call.request.watchRights({
        ...told,
        become(found) {
          if (isOver || (found !== null && keepsRights(principal, found))) return;
          end();
          const error = new LostRightsError();
          controller.error(error);
          void reader.cancel(error).catch(() => {});
        },
      });
      if (isOver) unwatch();
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        await told.open();
        // Whoever left has closed it already: that is no failure.
        if (isOver) return;
        if (!done) return controller.enqueue(bytesOf(value, encoder));
        end();
        controller.close();
      } catch (error) {
        if (isOver) return;
        end();
        logBroken(call, error);
        controller.error(error);
      }
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
    // What waited here would be sent whatever became of its reader's rights.
  }, { highWaterMark: 0 });
}

/** Something that waits while rights cannot be looked at. */
function createGate() {
  let waiting: PromiseWithResolvers<void> | null = null;
  return {
    hold: () => void (waiting ??= Promise.withResolvers()),
    resume() {
      waiting?.resolve();
      waiting = null;
    },
    open: () => waiting?.promise,
  };
}

function bytesOf(value: unknown, encoder: TextEncoder): Uint8Array<ArrayBuffer> {
  if (typeof value === "string") return encoder.encode(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  throw new TypeError("A stream must be made of texts and bytes");
}

/** After the first byte there is no other answer any more. */
function logBroken({ request, plan: { operation } }: ActionCall, error: unknown): void {
  request.app.ports.logger.log({
    level: "error",
    message: `The ${operation.action.responseType} of ${operation.id} broke off`,
    requestId: request.requestId,
    error,
    fields: { operation: operation.id, method: request.method, path: request.path },
  });
}
