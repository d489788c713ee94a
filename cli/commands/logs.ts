/** Runs `logs [folder]`: shows the answers, deliveries and log entries of the API of `dev`, from the file that `dev` writes. */
import { resolve } from "node:path";
import { printable } from "../../shared/lib/texts.ts";
import type { JsonObject } from "../../shared/lib/json.ts";
import type { Arguments } from "../command.ts";
import { CommandError, type ExitCode, UsageError } from "../exit_codes.ts";
import { devFolderOf } from "../dev/dev_folder.ts";
import { followDevLog, readDevLog } from "../dev/dev_log.ts";
import { readLogLine } from "../dev/log_line.ts";
import { stopSignal } from "../dev/stop_signal.ts";
import type { Output } from "../output.ts";
import type { Colors } from "../terminal.ts";

const LINES = 50;

export async function showLogs(
  { positionals: [named = "."], values, flags }: Arguments,
  output: Output,
): Promise<ExitCode> {
  const lines = linesOf(values.get("lines"));
  const folder = devFolderOf(resolve(named));
  const entries = await readDevLog(folder);
  if (entries === null && !flags.has("follow")) {
    throw new CommandError(
      `"${named}" has no log: serve it with dev, or name the project's folder`,
    );
  }
  const shown = (entries ?? []).slice(-lines);
  for (const entry of shown) output.out(entryText(entry, output.outColors));
  if (!flags.has("follow")) {
    output.result({ entries: shown });
    return 0;
  }
  shown.forEach((entry) => output.each(entry));
  for await (const entry of followDevLog(folder, stopSignal())) {
    output.each(entry);
    output.out(entryText(entry, output.outColors));
  }
  return 0;
}

function linesOf(text: string | undefined): number {
  if (text === undefined) return LINES;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new UsageError(`--lines takes a number from 1, not "${text}"`);
}

/** Writes one entry for a person: its time, then its content by kind. */
function entryText(entry: JsonObject, colors: Colors): string {
  const time = colors.dim(String(entry["time"]).slice(11, 19));
  const { message } = entry;
  if (message === "Answered") return `${time} ${answerText(entry, colors)}`;
  if (message === "Attempted") return `${time} ${attemptText(entry, colors)}`;
  const { level, text } = readLogLine(JSON.stringify(entry));
  const mark = level === "error" ? colors.red : level === "warn" ? colors.yellow : colors.dim;
  const [first = "", ...rest] = text.split("\n").map(printable);
  return [`${time} ${mark(level.padEnd(5))} ${first}`, ...rest.map((line) => `         ${line}`)]
    .join("\n");
}

/** Writes an answer such as `GET /api/v1/tickets 403 access ACCESS_ROLE_REQUIRED 2.1 ms req_…`. */
function answerText(entry: JsonObject, colors: Colors): string {
  const { method, path, status, layer, code, milliseconds, requestId } = entry;
  const mark = Number(status) >= 500
    ? colors.red
    : Number(status) >= 400
    ? colors.yellow
    : colors.green;
  const refusal = [layer, code].filter((word) => typeof word === "string").join(" ");
  return [
    String(method).padEnd(6),
    printable(String(path)),
    mark(`${status}${refusal === "" ? "" : ` ${refusal}`}`),
    colors.dim(`${milliseconds} ms ${requestId}`),
  ].join(" ");
}

/** Writes an attempt such as `webhook-deliveries done 200, attempt 1, wdl_…`. */
function attemptText(entry: JsonObject, colors: Colors): string {
  const { queue, job, attempts, outcome, status, reason } = entry;
  const mark = outcome === "done" ? colors.green : outcome === "again" ? colors.yellow : colors.red;
  const end = [outcome, status, reason].filter((word) => word !== null).map(String).map(printable);
  return `${queue} ${mark(end.join(" "))}${colors.dim(`, attempt ${attempts}, ${job}`)}`;
}
