/**
 * Finished compiles by their input: in memory up to a number of bytes, and in a folder if one is given
 * (docs/decisions/build_service.md). Files that every output carries are stored once.
 */
import { sha256Hex } from "../../shared/lib/bytes.ts";
import { isJsonObject, parsedJson } from "../../shared/lib/json.ts";
import * as service from "../../shared/service/mod.ts";
import { filesBelow, readText } from "../repository_files.ts";
import type { HostFiles } from "../worker_messages.ts";
import { DiskCache } from "./disk_cache.ts";

interface CompileCacheOptions {
  readonly host: service.CarryingHost;
  /** Identifies the compiler and the carried files. Entries of another version are not found. */
  readonly program: Promise<string>;
  readonly memoryMaxBytes: number;
  /** Null: memory only. */
  readonly disk: DiskCache | null;
}

type Events = readonly service.CompileEvent[];

interface Entry {
  readonly events: Events;
  readonly bytes: number;
}

/** A file of an entry on disk. The content is null if every output carries it. */
type KeptFile = readonly [path: string, content: string | null, sha256: string];

export class CompileCache implements service.CompileStore {
  readonly #options: CompileCacheOptions;
  readonly #carried: Promise<ReadonlyMap<string, readonly service.OutputFile[]>>;
  /** Entries in memory, the least recently used first. */
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  constructor(options: CompileCacheOptions) {
    this.#options = options;
    this.#carried = carriedFiles(options.host);
  }

  async get(key: string): Promise<Events | null> {
    const entry = this.#entries.get(key);
    if (entry === undefined) return await this.#fromDisk(key);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.events;
  }

  async set(key: string, events: Events): Promise<void> {
    const carried = await this.#carried;
    const kept = events.map((event): KeptEvent => {
      if (event.kind !== "emitted") return event;
      const files = event.files.map((file): KeptFile => {
        const { path, content, sha256 } = file;
        return [path, carriedFile(file, carried) === null ? content : null, sha256];
      });
      return { kind: "packed", files };
    });
    // The events are the same, with references to carried files instead of copies.
    this.#remember(key, {
      events: events.map((event) =>
        event.kind === "emitted"
          ? { ...event, files: event.files.map((file) => carriedFile(file, carried) ?? file) }
          : event
      ),
      bytes: bytesOf(kept),
    });
    const { disk } = this.#options;
    if (disk === null) return;
    await disk.set(await this.#diskKey(key), new TextEncoder().encode(JSON.stringify(kept)));
  }

  async #fromDisk(key: string): Promise<Events | null> {
    const { disk } = this.#options;
    const bytes = disk && await disk.get(await this.#diskKey(key));
    if (bytes === null) return null;
    const text = new TextDecoder().decode(bytes);
    const events = unpacked(parsedJson(text), await this.#carried);
    if (events !== null) this.#remember(key, { events, bytes: 2 * text.length });
    return events;
  }

  #remember(key: string, entry: Entry): void {
    const { memoryMaxBytes } = this.#options;
    this.#forget(key);
    if (entry.bytes > memoryMaxBytes) return;
    this.#entries.set(key, entry);
    this.#bytes += entry.bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= memoryMaxBytes) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }

  async #diskKey(key: string): Promise<string> {
    return await sha256Hex(`${await this.#options.program}\n${key}`);
  }
}

/** Returns the carried files by path. */
async function carriedFiles(
  host: service.CarryingHost,
): Promise<ReadonlyMap<string, readonly service.OutputFile[]>> {
  const files = service.carriedTexts(host).map(([path, content]) => ({ path, content }));
  return Map.groupBy(await service.outputFiles(files), ({ path }) => path);
}

type CarriedIndex = ReadonlyMap<string, readonly service.OutputFile[]>;

function carriedFile(
  { path, sha256 }: service.OutputFile,
  carried: CarriedIndex,
): service.OutputFile | null {
  return carried.get(path)?.find((file) => file.sha256 === sha256) ?? null;
}

interface Packed {
  readonly kind: "packed";
  readonly files: readonly KeptFile[];
}

type KeptEvent = Exclude<service.CompileEvent, { kind: "emitted" }> | Packed;

/** Returns the memory of events at two bytes a character. Files are counted without being formatted. */
function bytesOf(kept: readonly KeptEvent[]): number {
  const characters = kept.flatMap((event) =>
    event.kind === "packed"
      ? event.files.flat().map((text) => text?.length ?? 0)
      : JSON.stringify(event).length
  );
  return 2 * characters.reduce((sum, count) => sum + count, 0);
}

/** Decodes an entry; null if it is malformed, or if it refers to a file that is no longer carried. */
function unpacked(value: unknown, carried: CarriedIndex): Events | null {
  if (!Array.isArray(value)) return null;
  const events: service.CompileEvent[] = [];
  for (const item of value) {
    const event = isEvent(item) ? item : unpackedFiles(item, carried);
    if (event === null) return null;
    events.push(event);
  }
  return events;
}

function unpackedFiles(value: unknown, carried: CarriedIndex): service.CompileEvent | null {
  if (!isJsonObject(value) || value.kind !== "packed" || !Array.isArray(value.files)) return null;
  const files: service.OutputFile[] = [];
  for (const item of value.files) {
    if (!isKeptFile(item)) return null;
    const [path, content, sha256] = item;
    const file = content === null
      ? carriedFile({ path, content: "", sha256 }, carried)
      : { path, content, sha256 };
    if (file === null) return null;
    files.push(file);
  }
  return { kind: "emitted", files };
}

const WHOLE_EVENTS = ["progress", "finished", "failed"];

/** Casts an event. The entry's hash proves that `packed` wrote these bytes. */
function isEvent(value: unknown): value is service.CompileEvent {
  return isJsonObject(value) && typeof value.kind === "string" && WHOLE_EVENTS.includes(value.kind);
}

function isKeptFile(value: unknown): value is KeptFile {
  return Array.isArray(value) && value.length === 3 && typeof value[0] === "string" &&
    (value[1] === null || typeof value[1] === "string") && typeof value[2] === "string";
}

/** Configuration of the container's cache of compiles, from its environment. */
const MEBIBYTE = 1024 * 1024;
const MEMORY_MAX_BYTES = 64 * MEBIBYTE;
const DISK_MAX_BYTES = 512 * MEBIBYTE;

/**
 * Opens the cache. `COMPILE_CACHE_DIR` names a folder that outlives the process and may be shared. It contains authors'
 * sources.
 */
export function readCompileCache(
  env: Pick<Deno.Env, "get">,
  host: HostFiles,
  { logger }: Pick<service.ServicePorts, "logger">,
): service.CompileStore {
  const folder = env.get("COMPILE_CACHE_DIR");
  if (!folder) {
    return new CompileCache({
      host,
      program: Promise.resolve(""),
      memoryMaxBytes: MEMORY_MAX_BYTES,
      disk: null,
    });
  }
  const onFault = (error: unknown) =>
    logger.log({ level: "error", message: "The compile cache cannot be used", error });
  // This hash covers all that determines a compile's bytes besides its input.
  const folders = ["shared", "library", "container", "generated-templates"];
  const paths = [...folders.flatMap(filesBelow).toSorted(), "deno.json", "deno.lock"];
  return new CompileCache({
    host,
    program: sha256Hex(JSON.stringify(paths.map((path) => [path, readText(path)]))),
    memoryMaxBytes: MEMORY_MAX_BYTES,
    disk: new DiskCache({ folder, maxBytes: DISK_MAX_BYTES, onFault }),
  });
}
