/** Converts a log entry of the API to a line for people; other lines stay unchanged. */
import type { Colors } from "../terminal.ts";
import { textAt } from "./demo/api_client.ts";
import { parsedJson } from "../../shared/lib/json.ts";

interface LogLine {
  readonly level: string;
  readonly text: string;
}

/** Reads a log line: message first, then its details, then the stack. */
export function readLogLine(line: string): LogLine {
  const entry = parsedJson(line);
  const level = textAt(entry, "level");
  const message = textAt(entry, "message");
  if (level === null || message === null) return { level: "info", text: line };
  const stack = textAt(entry, "error", "stack") ?? textAt(entry, "error", "message");
  const details = Object.entries(Object(entry)).flatMap(([name, value]) =>
    ["time", "level", "message", "error"].includes(name)
      ? []
      : [`${name}=${typeof value === "string" ? value : JSON.stringify(value)}`]
  );
  return { level, text: [[message, ...details].join(" "), ...(stack ? [stack] : [])].join("\n") };
}

export function logLineText({ level, text }: LogLine, colors: Colors): string {
  const mark = level === "error" ? colors.red : level === "warn" ? colors.yellow : colors.dim;
  return `${mark(`api ${level.padEnd(5)}`)} ${text.replaceAll("\n", "\n          ")}`;
}

/** True for lines that the demo's own requests cause, which the user need not read. */
export function isChatter(line: LogLine): boolean {
  return !["warn", "error"].includes(line.level);
}

/** True for entries about each request and delivery, which would fill a terminal (`quickback logs` shows them). */
export function isForLogs(line: string): boolean {
  return ["Answered", "Attempted"].includes(textAt(parsedJson(line), "message") ?? "");
}
