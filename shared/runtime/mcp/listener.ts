/** Sends the output of a running stream to its caller: as progress where they asked for it, else as messages of the log. */
import type { Admitted } from "../gate.ts";
import type { LogLevels } from "./log_levels.ts";
import { type LoggingLevel, LoggingLevelSchema, type ServerNotification } from "./sdk.ts";
import type { StreamListener } from "./stream_result.ts";

/** Level of streamed output: neither a detail nor a warning. */
const STREAM_LEVEL: LoggingLevel = "info";

interface Listening {
  readonly levels: LogLevels;
  readonly signal: AbortSignal;
  readonly progressToken: string | number | undefined;
  readonly tool: string;
  send(notification: ServerNotification): Promise<void>;
}

export function listenerFor(caller: Admitted, listening: Listening): StreamListener {
  const { levels, signal, progressToken, tool, send } = listening;
  return {
    signal,
    async told(text, progress) {
      if (progressToken !== undefined) {
        const params = { progressToken, progress, message: text };
        await send({ method: "notifications/progress", params });
      } else if (isHeard(levels.of(caller))) {
        const params = { level: STREAM_LEVEL, logger: tool, data: text };
        await send({ method: "notifications/message", params });
      }
    },
  };
}

/** True when the caller's level includes streamed output; without a level it does. */
function isHeard(asked: string | null): boolean {
  const levels = LoggingLevelSchema.options;
  const least = levels.findIndex((level) => level === asked);
  return least <= levels.indexOf(STREAM_LEVEL);
}
