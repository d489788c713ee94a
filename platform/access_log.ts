/** The access log (definitions 8, `ACCESS_LOG`): a line for each request, when its answer begins to leave. */
import type { Observe } from "../shared/contract/mod.ts";
import type { Logger } from "../shared/runtime/ports.ts";

/** Characters of a path in a line. */
const PATH_MAX_LENGTH = 2048;

/** Logs every answer, without the query, and without the part of a path that may be a token. */
export function accessLog(logger: Logger): Observe {
  return () => {
    const since = performance.now();
    return ({ requestId, method, route, path, status, layer, code }) => {
      // `/auth/v1/reset-password/*`: what follows signs somebody in.
      const shown = route?.endsWith("/*") ? route : path.slice(0, PATH_MAX_LENGTH);
      const milliseconds = Math.round((performance.now() - since) * 10) / 10;
      logger.log({
        level: "info",
        message: "Answered",
        requestId,
        fields: { method, path: shown, status, milliseconds, layer, code },
      });
    };
  };
}
