/** The views of an API that its operator asked for, as options of it: none, and nothing loaded, where none was. */
import type { Observe } from "../shared/contract/mod.ts";
import type { Logger, Metrics } from "../shared/runtime/ports.ts";
import { accessLog } from "./access_log.ts";

interface Watched {
  readonly observe?: Observe;
  readonly metrics?: Metrics;
}

interface WatchedOptions {
  readonly accessLog: boolean;
  /** Null: there are no metrics. */
  readonly metricsToken: string | null;
  readonly logger: Logger;
  /** The project's. */
  readonly name: string;
  readonly contract: string;
}

const TOKEN_MIN_LENGTH = 16;

export async function watched(options: WatchedOptions): Promise<Watched> {
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
