/** Details of a 500 under `EXPOSE_ERROR_STACK=1` (contract 7.2). Never called otherwise. */
import type { JsonValue } from "../../model/column.ts";

const FRAMES_SHOWN = 3;

interface ThrownDetails {
  readonly message: string;
  readonly details: Readonly<Record<string, JsonValue>>;
}

export function thrownDetails(error: unknown): ThrownDetails {
  if (!(error instanceof Error)) return { message: String(error), details: {} };
  return {
    message: error.message,
    details: {
      cause: error.cause instanceof Error ? error.cause.message : null,
      frames: framesOf(error.stack ?? ""),
      stack: error.stack ?? "",
    },
  };
}

/** Base name and line of the innermost calls. */
function framesOf(stack: string): readonly string[] {
  return [...stack.matchAll(/([^/\\\s()]+):(\d+):\d+\)?$/gm)]
    .slice(0, FRAMES_SHOWN)
    .map(([, file, line]) => `${file}:${line}`);
}
