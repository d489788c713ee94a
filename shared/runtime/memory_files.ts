/** Stores files in this process's memory: for tests, and for an API that runs in a page. */
import { STORAGE_GRACE_DEFAULT_S } from "../contract/mod.ts";
import { sha256Hex, streamChunks } from "../lib/bytes.ts";
import { filesWithAddresses } from "./file_addresses.ts";
import {
  type Clock,
  type FilePorts,
  type FileStore,
  FormError,
  type Settings,
  type UnaddressedFiles,
} from "./ports.ts";

interface MemoryObject {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly modifiedAt: number;
}

export interface MemoryFilesOptions {
  readonly clock: Clock;
  readonly settings: Pick<Settings, "baseUrl" | "authSecret">;
  readonly graceMs?: number;
  /** Kept objects by their keys; default: none. */
  readonly objects?: Map<string, MemoryObject>;
}

export function memoryFiles(
  { clock, settings, graceMs = STORAGE_GRACE_DEFAULT_S * 1000, objects = new Map() }:
    MemoryFilesOptions,
): FilePorts {
  const files: UnaddressedFiles = {
    graceMs,
    store: memoryStore(objects, clock),
    async readForm(contentType, body) {
      const stream = new Response(ReadableStream.from(body), {
        headers: { "content-type": contentType },
      });
      const parts = await stream.formData().catch((cause) => {
        throw new FormError("The body is no form that can be read", { cause });
      });
      const [first, ...more] = [...parts.values()];
      if (first === undefined || typeof first === "string" || more.length > 0) {
        throw new FormError("The form must hold one part, which has a file name");
      }
      return { name: first.name, type: first.type || null, body: streamChunks(first.stream()) };
    },
  };
  return filesWithAddresses(files, settings, clock);
}

function memoryStore(objects: Map<string, MemoryObject>, clock: Clock): FileStore {
  return {
    async put(key, body) {
      const bytes = new Uint8Array(
        await new Response(ReadableStream.from(body)).arrayBuffer(),
      );
      objects.set(key, { bytes, modifiedAt: clock.now() });
      return { size: bytes.length, sha256: await sha256Hex(bytes) };
    },
    get(key, range) {
      const bytes = objects.get(key)?.bytes;
      if (bytes === undefined) return Promise.resolve(null);
      const part = range ? bytes.slice(range.start, range.end + 1) : bytes;
      return Promise.resolve(new Blob([part]).stream());
    },
    remove: (key) => Promise.resolve(void objects.delete(key)),
    async *list(prefix) {
      for (const [key, { bytes, modifiedAt }] of objects) {
        if (key.startsWith(prefix)) yield { key, size: bytes.length, modifiedAt };
      }
    },
  };
}
