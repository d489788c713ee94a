/** A store of files in memory, and what tests want to know of it. */
import { readForm } from "../../library/platform/files/read_form.ts";
import { type FilePorts, memoryFiles as inMemory } from "../../shared/runtime/mod.ts";

export interface MemoryFiles extends FilePorts {
  /** By key. */
  readonly objects: Map<
    string,
    { readonly bytes: Uint8Array<ArrayBuffer>; readonly modifiedAt: number }
  >;
  /** Runs where an object is about to be kept: after its bytes have come, before anything refers to it. */
  beforeKept: () => Promise<void>;
}

export function memoryFiles(now: () => number, graceMs = 3_600_000): MemoryFiles {
  const objects: MemoryFiles["objects"] = new Map();
  const clock = { now };
  const settings = {
    baseUrl: "http://localhost:8000",
    authSecret: new TextEncoder().encode("what signs the addresses of files in tests"),
  };
  const { store, addresses, unreferred } = inMemory({ clock, settings, objects });
  const files: MemoryFiles = {
    objects,
    beforeKept: () => Promise.resolve(),
    graceMs,
    readForm,
    addresses,
    unreferred,
    store: {
      ...store,
      async put(key, body) {
        const kept = await store.put(key, body);
        const object = objects.get(key);
        objects.delete(key);
        await files.beforeKept();
        if (object) objects.set(key, object);
        return kept;
      },
    },
  };
  return files;
}
