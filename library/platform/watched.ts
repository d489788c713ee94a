/** The metrics, traces and access log that an operator turned on. Those that are off are not loaded. */
import type { Observe } from "../../shared/contract/mod.ts";
import type { Logger, Metrics } from "../../shared/runtime/ports.ts";

interface Watched {
  readonly observe?: Observe;
  readonly metrics?: Metrics;
}

const TOKEN_MIN_LENGTH = 16;

export async function watched(options: {
  readonly accessLog: boolean;
  /** Null: there are no metrics. */
  readonly metricsToken: string | null;
  readonly logger: Logger;
  /** Name of the project. */
  readonly name: string;
  readonly contract: string;
}): Promise<Watched> {
  const { metricsToken: token, logger, name, contract } = options;
  const log = options.accessLog ? accessLog(logger) : null;
  if (token === null) return log === null ? {} : { observe: log };
  if (token.length < TOKEN_MIN_LENGTH) {
    logger.log({
      level: "warn",
      message: `METRICS_TOKEN has less than ${TOKEN_MIN_LENGTH} characters and can be guessed; ` +
        "generate one with 'openssl rand -hex 32'",
    });
  }
  const { openMetrics } = await import("./metrics.ts");
  const { metrics, observe } = await openMetrics({ token, name, contract });
  return {
    metrics,
    observe: log === null ? observe : (() => {
      const tell = [observe(), log()];
      return (answered) => tell.forEach((told) => told(answered));
    }),
  };
}

/** Most characters of a path in a log line. */
const PATH_MAX_LENGTH = 2048;

/**
 * Makes the access log (definitions 8, `ACCESS_LOG`): a line for each answer, without the query and without parts of a path
 * that may be tokens.
 */
export function accessLog(logger: Logger): Observe {
  return () => {
    const since = performance.now();
    return ({ requestId, method, route, path, status, layer, code }) => {
      // The part after `/auth/v1/reset-password/` would sign somebody in.
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
