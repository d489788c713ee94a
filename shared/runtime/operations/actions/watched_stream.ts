/**
 * Watches a body that authored code makes piece by piece (contract 4.4 rule 4): its failure is logged, and it ends when its
 * caller loses a right with which it began.
 */
import { keepsRights, LostRightsError } from "../../layers/1-authentication/rights_watch.ts";
import type { ActionCall } from "./action_plan.ts";
import type { ByteSource } from "./first_byte.ts";

/**
 * Returns the stream for the response. A stream that fails gives its reader a broken body, since its status is sent already.
 */
export function watchedStream(
  source: ByteSource,
  call: ActionCall,
): ReadableStream<Uint8Array<ArrayBuffer>> {
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
          void source.cancel(error).catch(() => {});
        },
      });
      if (isOver) unwatch();
    },
    async pull(controller) {
      try {
        const bytes = await source.read();
        await told.open();
        // A caller who disconnected has closed the stream already: that is not a failure.
        if (isOver) return;
        if (bytes !== null) return controller.enqueue(bytes);
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
      return source.cancel(reason);
    },
    // A queue here would send its bytes even after the reader lost its rights.
  }, { highWaterMark: 0 });
}

/** Creates a gate that blocks while rights cannot be checked. */
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

/** Logs a stream that failed after its first byte, when no other answer is possible. */
function logBroken({ request, plan: { operation } }: ActionCall, error: unknown): void {
  request.app.ports.logger.log({
    level: "error",
    message: `The ${operation.action.responseType} of ${operation.id} broke off`,
    requestId: request.requestId,
    error,
    fields: { operation: operation.id, method: request.method, path: request.path },
  });
}
