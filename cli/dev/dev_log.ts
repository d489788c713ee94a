/**
 * Writes the log of a project's API in `dev` to a file that `quickback logs` reads: one line of JSON for each entry, of limited
 * size. Secrets are left out; those that the user needs are printed in the terminal of `dev`.
 */
import { join } from "node:path";
import { ifThere, ifThereSync } from "../../library/platform/if_there.ts";
import { isSensitiveKey, REDACTED, RUNTIME_CODES } from "../../shared/contract/mod.ts";
import { isJsonObject, type JsonObject, parsedJson } from "../../shared/lib/json.ts";

const NAME = "api.log";
/** File with the entries before those of the current one; it is discarded when the current one is full. */
const EARLIER = `${NAME}.1`;

/** Maximum size in bytes of each of the two files. */
const MAX_BYTES = 1024 * 1024;

export class DevLog {
  readonly #folder: string;
  readonly #maxBytes: number;
  #size: number | null = null;

  constructor(folder: string, maxBytes = MAX_BYTES) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  /** Appends one line that the API printed. */
  append(line: string, now: Date): void {
    const text = JSON.stringify(logEntry(line, now)) + "\n";
    const file = join(this.#folder, NAME);
    this.#size ??= sizeOf(file);
    const bytes = new TextEncoder().encode(text);
    if (this.#size + bytes.length > this.#maxBytes && this.#size > 0) {
      Deno.renameSync(file, join(this.#folder, EARLIER));
      this.#size = 0;
    }
    Deno.writeFileSync(file, bytes, { append: true, mode: 0o600 });
    this.#size += bytes.length;
  }
}

/** Returns the entry of a line: its own members if it is a log entry, or else its text as a message. */
export function logEntry(line: string, now: Date): JsonObject {
  const parsed = parsedJson(line);
  const entry = isJsonObject(parsed) && typeof parsed["message"] === "string"
    ? parsed
    : { time: now.toISOString(), level: "info", message: line };
  return withoutSecrets(entry);
}

/** Removes secrets. A mail's text is removed completely, because its links sign somebody in. */
function withoutSecrets(object: JsonObject): JsonObject {
  const isMail = "subject" in object && "to" in object;
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) =>
      // A problem's code is one of quickback's, not a code that signs somebody in.
      (isSensitiveKey(key) &&
          !(key === "code" && (value === null || Object.hasOwn(RUNTIME_CODES, String(value))))) ||
        (isMail && key === "text")
        ? [key, REDACTED]
        : [key, redacted(value)]
    ),
  );
}

function redacted(value: unknown): unknown {
  if (typeof value === "string") {
    return SECRETS.reduce((rest, secret) => rest.replace(secret, REDACTED), value);
  }
  if (Array.isArray(value)) return value.map(redacted);
  return isJsonObject(value) ? withoutSecrets(value) : value;
}

/** Patterns of secrets inside a text: tokens, keys, and values of sensitive names. */
const SECRETS: readonly RegExp[] = [
  /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g,
  /\bwhsec_[\w+/=-]+/g,
  /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /(?<=\b\w*(?:password|token|secret|api[-_]?key|authorization|cookie)\w*["']?\s*[:=]\s*["']?)[^\s"',;&}]+/gi,
];

/** Returns the current log, oldest first; null: `dev` has not written one here. */
export async function readDevLog(folder: string): Promise<readonly JsonObject[] | null> {
  const [earlier, recent] = [
    await linesOf(join(folder, EARLIER)),
    await linesOf(join(folder, NAME)),
  ];
  if (earlier === null && recent === null) return null;
  return entriesOf([...earlier ?? [], ...recent ?? []]);
}

const POLL_MILLISECONDS = 250;

/** Yields entries that are appended from now on, until aborted. */
export async function* followDevLog(
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<JsonObject, void, void> {
  const file = join(folder, NAME);
  let from = sizeOf(file);
  while (!signal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
    const size = sizeOf(file);
    if (size === from) continue;
    // The file was started anew: its earlier lines are in the other file.
    const lines = size < from
      ? [...await linesFrom(join(folder, EARLIER), from), ...await linesFrom(file, 0, size)]
      // Lines that are written meanwhile are yielded next.
      : await linesFrom(file, from, size);
    from = size;
    yield* entriesOf(lines);
  }
}

function entriesOf(lines: readonly string[]): readonly JsonObject[] {
  return lines.map(parsedJson).filter(isJsonObject);
}

async function linesFrom(
  file: string,
  offset: number,
  end?: number,
): Promise<readonly string[]> {
  const lines = await linesOf(file, offset, end);
  return lines ?? [];
}

/** Reads lines; null: there is no such file. */
async function linesOf(file: string, offset = 0, end?: number): Promise<readonly string[] | null> {
  const bytes = await ifThere(Deno.readFile(file));
  if (bytes === null) return null;
  return new TextDecoder().decode(bytes.subarray(offset, end)).split("\n").filter((line) =>
    line !== ""
  );
}

function sizeOf(file: string): number {
  return ifThereSync(() => Deno.statSync(file).size) ?? 0;
}
