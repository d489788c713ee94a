/** The build service's ports on any platform with Web APIs: an edge worker, a browser, Deno. */
import type { ServicePorts } from "../shared/service/mod.ts";

export function webPorts(
  logger: ServicePorts["logger"],
  onRouted?: NonNullable<ServicePorts["onRouted"]>,
): ServicePorts {
  return {
    logger,
    ...(onRouted ? { onRouted } : {}),
    newRequestId: () => crypto.randomUUID(),
    timers: { now: () => performance.now(), wait },
  };
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted) return Promise.resolve();
  const timer = setTimeout(end, milliseconds);
  signal?.addEventListener("abort", end, { once: true });
  return promise;

  function end(): void {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    resolve();
  }
}
