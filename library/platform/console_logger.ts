/** Logs entries as one line of JSON each. Warnings and errors go to the error stream. */
import type { Clock, LogEntry, Logger } from "../../shared/runtime/ports.ts";

export interface ConsoleLoggerOptions {
  readonly clock: Clock;
  /** Receives a finished line. Absent: the console does. */
  readonly write?: (line: string, level: LogEntry["level"]) => void;
}

/** Makes a logger that never throws. A value that JSON cannot express is described instead. */
export function consoleLogger({
  clock,
  write = (line: string, level: LogEntry["level"]) => {
    if (level === "warn" || level === "error") console.error(line);
    else console.log(line);
  },
}: ConsoleLoggerOptions): Logger {
  return {
    log: (entry) =>
      write(
        JSON.stringify({
          ...entry.fields,
          time: new Date(clock.now()).toISOString(),
          level: entry.level,
          message: entry.message,
          ...(entry.requestId === undefined ? {} : { requestId: entry.requestId }),
          ...(entry.error === undefined ? {} : { error: described(entry.error) }),
        }),
        entry.level,
      ),
  };
}

const CAUSES_MAX = 4;

/**
 * Returns name, message and stack of an error and its causes. Other members may contain parameters and are left out (traps 10).
 */
function described(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { value: typeof error };
  // Drizzle appends the bound values to the message, which may be personal data or a password's hash.
  const [message = ""] = error.message.split("\nparams: ", 1);
  return {
    name: error.name,
    message,
    stack: error.stack?.replace(error.message, () => message) ?? null,
    ...(error.cause === undefined || depth >= CAUSES_MAX
      ? {}
      : { cause: described(error.cause, depth + 1) }),
  };
}
